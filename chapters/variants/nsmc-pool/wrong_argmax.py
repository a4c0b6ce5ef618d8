"""가중치가 맞지 않습니다. 리뷰 0, Query 0의 점수는 0, 2, 1이고 가중치는 0.090, 0.665, 0.245입니다. (6.1절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = F.one_hot(scores.masked_fill(hidden, -math.inf).argmax(dim=-1), X.shape[1]).float()
    return weights @ X, weights
