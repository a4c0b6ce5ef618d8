"""모든 행이 0이 되었습니다. 빈 행이 하나 있다고 다른 행까지 지우지 말고, 그 행만 골라 0으로 바꾸세요. (5.5절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    if weights.isnan().any():
        return torch.zeros_like(weights)
    return weights
