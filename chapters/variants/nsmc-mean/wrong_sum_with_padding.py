"""나누는 수는 맞지만 합에 패딩의 벡터가 들어 있습니다. 더하기 전에 패딩 자리를 0으로 만드세요. (6.1절)"""
def masked_mean(X, mask):
    return X.sum(dim=1) / (mask != 0).sum(dim=1, keepdim=True).clamp(min=1)
