"""행과 열이 뒤바뀐 마스크로 가린 결과입니다. 행이 Query, 열이 Key이므로 mask를 전치하지 않습니다. (2.1절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=~mask.transpose(-2, -1))
