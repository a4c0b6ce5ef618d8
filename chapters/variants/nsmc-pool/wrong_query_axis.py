"""토큰이 아니라 Query를 따라 합이 1입니다. softmax의 축은 마지막 축인 토큰입니다. (1.3절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=1).masked_fill(hidden, 0.0)
    return weights @ X, weights
