"""토큰이 없는 리뷰가 똑같은 몫을 나누어 가졌습니다. -1e9처럼 같은 수를 채우면 이렇게 됩니다. 가중치를 0으로 바꾸세요. (5.7절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -1e9), dim=-1)
    return weights @ X, weights
