"""리뷰와 Query를 하나씩."""
def attention_pool(X, mask, queries):
    weights = torch.zeros(X.shape[0], len(queries), X.shape[1])
    for b, x in enumerate(X):
        real = mask[b] != 0
        for i, query in enumerate(queries):
            if real.any():
                weights[b, i, real] = torch.softmax(x[real] @ query, dim=0)
    return weights @ X, weights
