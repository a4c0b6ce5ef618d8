"""아무것도 가리지 않은 결과와 같습니다. masked_fill은 새 텐서를 돌려주므로 그 결과를 받아 softmax에 넣어야 합니다. (2.2절)"""


def masked_weights(scores, mask):
    scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
