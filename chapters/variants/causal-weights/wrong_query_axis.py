"""행이 아니라 열의 합이 1입니다. softmax를 건 축이 Key 방향(dim=-1)인지 확인해 보세요. (1.3절)"""


def masked_weights(scores, mask):
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-2)
