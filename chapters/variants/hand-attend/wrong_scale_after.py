"""가중치의 합이 0.7071입니다. softmax를 건 뒤에 √d로 나눈 값입니다. exp를 씌우기 전의 점수를 나누세요. (1.2절)

softmax를 건 뒤에 √d로 나누었습니다. exp를 씌우기 전의 점수를 나누세요. (1.2절)
"""
def attend_one(q, K, V):
    scores = K @ q
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum() / math.sqrt(len(q))
    return weights @ V, weights
