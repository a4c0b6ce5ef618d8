"""가릴 칸만 본 결과입니다. SDPA의 bool 마스크는 True가 참여이므로 우리 마스크를 뒤집어 넘겨야 합니다. (2.5절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
