"""가릴 칸에 -inf를 담은 실수 마스크를 넘깁니다."""


def sdpa_hide(Q, K, V, mask):
    bias = torch.zeros(mask.shape).masked_fill(mask, float("-inf"))
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=bias)
