"""섞은 벡터와 가중치를 이 차례의 튜플로 돌려주세요."""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return weights
