"""넘겨받은 mask가 뒤집혔습니다. 이름이 _로 끝나는 함수 대신, 새 텐서를 만드는 방법으로 뒤집으세요. (2.5절)"""


def sdpa_hide(Q, K, V, mask):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask.logical_not_())
