"""앞에 축이 더 붙으면 d가 아닌 축의 길이로 나눕니다. shape[1] 대신 마지막 축인 shape[-1]을 쓰세요. (1.5절)"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[1])
