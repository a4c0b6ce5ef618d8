"""가중치가 (0.0566, 0.6897, 0.2537)입니다. √d가 아니라 d로 나눈 값입니다. (1.2절)"""
def attend_one(q, K, V):
    scores = K @ q / len(q)
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return weights @ V, weights
