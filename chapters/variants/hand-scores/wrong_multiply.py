"""첫 칸이 10입니다. √d를 곱한 값입니다. 곱하지 말고 나누세요. (1.2절)"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) * math.sqrt(Q.shape[-1])
