"""√d로 두 번 나눈 결과입니다. SDPA가 안에서 이미 나누므로 Q와 K를 그대로 넘깁니다. (2.4절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q / math.sqrt(Q.shape[-1]), K, V, attn_mask=~mask)
