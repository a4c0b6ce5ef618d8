"""보여야 할 칸이 0이고 가릴 칸에 몫이 있습니다. mask의 True를 가림으로 썼는지 확인해 보세요. (2.5절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return weights.masked_fill((~mask).all(dim=-1, keepdim=True), 0.0)
