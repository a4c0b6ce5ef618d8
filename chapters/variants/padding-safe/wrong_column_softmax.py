"""행이 아니라 열의 합이 1입니다. softmax를 건 축이 Key 방향(dim=-1)인지 확인해 보세요. (1.3절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-2)
    return torch.nan_to_num(weights)
