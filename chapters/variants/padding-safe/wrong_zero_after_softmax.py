"""통째로 가려진 행은 0이지만 다른 행의 합이 1이 아닙니다. 가리는 일은 softmax 앞에서 하고, 0으로 바꾸는 일은 빈 행에만 하세요. (2.3절)"""


def safe_weights(scores, mask):
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
