"""점수를 √3으로 나누었습니다. 이 풀링은 √d로 나누지 않습니다. (6.1절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1) / math.sqrt(X.shape[-1])
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return weights @ X, weights
