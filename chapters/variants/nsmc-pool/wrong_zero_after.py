"""패딩은 0이지만 나머지의 합이 1이 아닙니다. softmax 뒤가 아니라 앞에서 가리세요. (2.3절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)
    return weights @ X, weights
