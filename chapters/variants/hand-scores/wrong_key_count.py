"""첫 칸이 2.2361입니다. √5로 나눈 값이고, 5는 Key 수입니다. d는 Key의 수가 아니라 성분의 수입니다. (1.2절)"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-2])
