"""받은 텐서의 값이 바뀌었습니다. 제자리에서 고치지 말고 새 텐서를 만드세요. (2.2절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q, dim=0) @ Z

    return (pooled(X.add_(P)) - pooled(X[order] + P)).abs().max()
