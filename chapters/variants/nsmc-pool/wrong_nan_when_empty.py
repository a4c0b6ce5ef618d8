"""토큰이 없는 리뷰에서 NaN이 나왔습니다. 가린 자리의 가중치를 0으로 바꾸세요. (6.3절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
    return weights @ X, weights
