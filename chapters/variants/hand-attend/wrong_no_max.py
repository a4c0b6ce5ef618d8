"""점수가 아주 크거나 작을 때 가중치가 NaN이 됩니다. exp를 씌우기 전에 점수의 최댓값을 빼세요. (1.3절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(q))
    exps = torch.exp(scores)
    weights = exps / exps.sum()
    return weights @ V, weights
