"""결과의 모양이 기대와 다릅니다. 어느 축이 남아야 하는지 확인하세요."""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).abs()
