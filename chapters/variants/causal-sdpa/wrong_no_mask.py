"""아무것도 가리지 않은 결과입니다. mask를 attn_mask로 넘겼는지 확인해 보세요. (2.5절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V)
