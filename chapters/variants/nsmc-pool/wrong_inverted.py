"""진짜 토큰을 가리고 패딩을 남겼습니다. mask에서는 1이 진짜 토큰입니다. (5.2절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(~hidden, -math.inf), dim=-1).masked_fill(~hidden, 0.0)
    return weights @ X, weights
