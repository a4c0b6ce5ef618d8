"""첫 칸이 3.5355입니다. √2로 나눈 값입니다. 2는 본문 예제의 d이고 이 입력의 d는 4입니다. d를 입력에서 읽으세요. (1.2절)"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(2)
