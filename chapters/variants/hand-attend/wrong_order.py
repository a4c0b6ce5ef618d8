"""output과 weights의 순서가 바뀌었습니다. output을 먼저 돌려주세요. (1.5절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(q))
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return weights, weights @ V
