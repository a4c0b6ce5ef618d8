"""패딩의 점수를 0으로 바꾸었습니다. 점수 0도 몫을 받으므로 -inf로 바꾸세요. (2.3절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores.masked_fill(hidden, 0.0), dim=-1)
    return weights @ X, weights
