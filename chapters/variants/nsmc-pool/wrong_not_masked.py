"""패딩에도 몫이 갑니다. 패딩의 점수를 -inf로 바꾼 다음 softmax를 거세요. (6.3절)"""
def attention_pool(X, mask, queries):
    scores = queries @ X.transpose(-2, -1)
    hidden = (mask == 0).unsqueeze(1)
    weights = torch.softmax(scores, dim=-1)
    return weights @ X, weights
