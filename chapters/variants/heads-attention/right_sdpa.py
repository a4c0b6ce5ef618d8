"""head로 나눈 다음 F.scaled_dot_product_attention에 맡깁니다."""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    q, k, v = (F.linear(x, W).unflatten(-1, (H, -1)).transpose(1, 2) for W in (Wq, Wk, Wv))
    return F.linear(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2), Wo)
