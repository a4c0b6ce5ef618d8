"""Q를 먼저 √d로 나눈 뒤 곱합니다."""
def scaled_scores(Q, K):
    return (Q / Q.shape[-1] ** 0.5) @ K.mT
