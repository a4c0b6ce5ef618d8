"""부호가 있는 차이에서 가장 큰 것을 골랐습니다. 절댓값을 먼저 구하세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).max()
