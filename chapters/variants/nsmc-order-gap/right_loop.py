"""한 토큰씩 섞기."""
def order_gap(X, P, q, order):
    vectors = []
    for places in (range(len(X)), order.tolist()):
        Z = torch.stack([X[place] + P[t] for t, place in enumerate(places)])
        exps = torch.exp((Z * q).sum(dim=1))
        vectors.append(sum(e / exps.sum() * z for e, z in zip(exps, Z)))
    return torch.amax(torch.abs(vectors[0] - vectors[1]))
