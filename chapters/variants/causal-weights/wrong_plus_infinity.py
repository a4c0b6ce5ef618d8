"""가린 칸이 있는 행만 NaN입니다. -inf의 부호가 빠져 +inf를 넣지 않았는지 확인해 보세요. (2.2절)"""


def masked_weights(scores, mask):
    return torch.softmax(scores.masked_fill(mask, float("inf")), dim=-1)
