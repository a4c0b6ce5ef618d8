"""둘째 값의 모양이 (2, 2, 3)입니다. 섞은 벡터를 먼저, 가중치를 나중에 돌려주세요. (6.1절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return weights, weights @ X
