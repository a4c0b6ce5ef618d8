"""성분이 세 개인데 √2로 나누었습니다. d를 2로 못 박지 말고 q의 길이에서 읽으세요. (1.2절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(2)
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return weights @ V, weights
