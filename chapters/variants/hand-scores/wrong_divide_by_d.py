"""첫 칸이 1.25입니다. d로 나눈 값입니다. d의 제곱근으로 나누세요. (1.2절)

√d가 아니라 d로 나누었습니다. d의 제곱근으로 나누세요. (1.2절)
"""
def scaled_scores(Q, K):
    return Q @ K.transpose(-2, -1) / Q.shape[-1]
