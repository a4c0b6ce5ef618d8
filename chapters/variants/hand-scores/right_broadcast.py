"""축을 하나씩 끼워 넣어 성분마다 곱하고 마지막 축을 더합니다."""
def scaled_scores(Q, K):
    products = Q.unsqueeze(-2) * K.unsqueeze(-3)
    return products.sum(dim=-1) / math.sqrt(Q.size(-1))
