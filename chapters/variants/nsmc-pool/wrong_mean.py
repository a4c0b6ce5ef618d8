"""모든 토큰에 똑같은 몫을 주었습니다. 그것은 평균 풀링입니다. Query와의 점수로 몫을 정하세요. (6.1절)"""
def attention_pool(X, mask, queries):
    scores = torch.zeros(X.shape[0], len(queries), X.shape[1])
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return weights @ X, weights
