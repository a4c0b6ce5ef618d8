"""점수를 √2로 나누었습니다. 이 풀링은 √d로 나누지 않습니다. (6.1절)"""
def order_gap(X, P, q, order):
    def pooled(Z):
        return torch.softmax(Z @ q / math.sqrt(len(q)), dim=0) @ Z

    return (pooled(X + P) - pooled(X[order] + P)).abs().max()
