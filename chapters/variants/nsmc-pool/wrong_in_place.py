"""받은 텐서의 값이 바뀌었습니다. 제자리에서 고치지 말고 새 텐서를 만드세요. (2.2절)"""
def attention_pool(X, mask, queries):
    X[mask == 0] = 0.0
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1).masked_fill(hidden, 0.0)
    return weights @ X, weights
