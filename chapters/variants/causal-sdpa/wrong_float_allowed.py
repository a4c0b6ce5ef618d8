"""보이는 칸의 점수에 1을 더한 결과입니다. 실수 마스크는 점수에 더해집니다. 뒤집은 마스크를 bool 그대로 넘겨 보세요. (2.5절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=1.0 - mask.float())
