"""두 차례를 batch로 묶어 한꺼번에."""
def order_gap(X, P, q, order):
    Z = torch.stack([X, X.index_select(0, order)]) + P
    weights = F.softmax(torch.einsum("btd,d->bt", Z, q), dim=-1)
    first, second = torch.einsum("bt,btd->bd", weights, Z)
    return torch.dist(first, second, p=math.inf)
