"""첫 칸이 2.8868입니다. √3으로 나눈 값이고, 3은 Query 수입니다. d는 Q의 첫 축이 아니라 마지막 축의 길이입니다. (1.2절)"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[0])
