"""P가 0이 아닌데 차이가 0입니다. 위치까지 함께 옮기거나 평균으로 섞으면 이렇게 됩니다. 토큰만 옮기고 P는 나중에 더하며, q와의 점수로 섞으세요. (6.7절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return Z.mean(dim=0)

    return (pooled(X + P) - pooled(X[order] + P)).abs().max()
