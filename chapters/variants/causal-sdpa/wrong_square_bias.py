"""Query와 Key의 개수가 다르면 오류가 납니다. 마스크를 전치했거나 T와 S를 같은 수로 여기지 않았는지 확인해 보세요. (2.4절)"""


def sdpa_hide(Q, K, V, mask):
    T = Q.shape[-2]
    bias = torch.zeros(T, T).masked_fill(mask, float("-inf"))
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=bias)
