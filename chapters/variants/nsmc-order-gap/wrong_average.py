"""성분의 차이를 평균했습니다. 가장 큰 것 하나를 고르세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).abs().mean()
