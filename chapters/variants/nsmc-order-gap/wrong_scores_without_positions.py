"""점수를 구할 때 위치를 빠뜨렸습니다. 위치를 더한 벡터가 Key이자 Value입니다. (6.1절)"""
def order_gap(X, P, q, order):
    def pooled(tokens):
        return torch.softmax(tokens @ q, dim=0) @ (tokens + P)

    return (pooled(X) - pooled(X[order])).abs().max()
