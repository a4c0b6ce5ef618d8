"""가릴 칸의 점수가 오히려 1 커진 결과입니다. 마스크를 실수로 바꾸면 점수에 더해집니다. bool로 넘겨 보세요. (2.5절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask.float())
