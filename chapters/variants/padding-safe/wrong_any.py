"""한 칸만 가려진 행까지 0이 되었습니다. 0으로 바꿀 것은 모든 칸이 가려진 행입니다. any와 all을 구별해 보세요. (5.5절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return weights.masked_fill(mask.any(dim=-1, keepdim=True), 0.0)
