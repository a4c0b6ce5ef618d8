"""차이가 맞지 않습니다. 이 예에서 가장 큰 성분의 차이는 1.0695입니다. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return (Z @ q) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).abs().max()
