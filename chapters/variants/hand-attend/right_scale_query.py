"""q를 먼저 나누고, 행 벡터와 행렬의 곱으로 계산합니다."""
def attend_one(q, K, V):
    scores = (q[None, :] / len(q) ** 0.5) @ K.T
    shifted = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = shifted / shifted.sum(dim=-1, keepdim=True)
    return (weights @ V)[0], weights[0]
