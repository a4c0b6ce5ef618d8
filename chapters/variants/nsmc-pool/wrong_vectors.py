"""가중치는 맞지만 섞은 벡터가 다릅니다. 가중치대로 X를 더하세요. (6.1절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return (weights.unsqueeze(-1) * X.unsqueeze(1)).mean(dim=2), weights
