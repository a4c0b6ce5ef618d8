"""다른 값과 모양에서 차이가 맞지 않습니다. 위치를 더하는 때와 섞는 때를 확인하세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return sum(torch.softmax(Z @ q, dim=0)[t] * Z[t] for t in range(3))

    return (pooled(X + P) - pooled(X[order] + P)).abs().max()
