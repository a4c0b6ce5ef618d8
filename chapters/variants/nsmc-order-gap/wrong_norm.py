"""차이 벡터의 길이를 구했습니다. 절댓값이 가장 큰 성분 하나를 고르세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).norm()
