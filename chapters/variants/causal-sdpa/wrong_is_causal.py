"""mask를 쓰지 않고 인과 마스크를 씌운 결과입니다. is_causal이 아니라 attn_mask로 넘겨 보세요. (2.4절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=True)
