"""Key마다 파이썬 수로 계산합니다."""
def attend_one(q, K, V):
    scores = [sum(a * b for a, b in zip(q.tolist(), key)) / math.sqrt(len(q)) for key in K.tolist()]
    exps = [math.exp(score - max(scores)) for score in scores]
    weights = torch.tensor([value / sum(exps) for value in exps])
    output = torch.zeros(V.shape[1])
    for weight, value in zip(weights, V):
        output = output + weight * value
    return output, weights
