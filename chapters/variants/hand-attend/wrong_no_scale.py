"""가중치가 (0.0059, 0.8756, 0.1185)입니다. 점수를 √d로 나누지 않은 값입니다. (1.2절)"""
def attend_one(q, K, V):
    scores = K @ q
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return weights @ V, weights
