"""order를 거꾸로 썼습니다. i번 자리에는 order[i]번 토큰이 앉습니다. X[order]를 쓰세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X + P) - pooled(X[order.argsort()] + P)).abs().max()
