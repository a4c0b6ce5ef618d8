"""통째로 가려진 행이 가리지 않은 것처럼 몫을 나누었습니다. 볼 토큰이 없는 행이므로 모든 칸이 0이어야 합니다. (5.5절)"""


def safe_weights(scores, mask):
    empty = mask.all(dim=-1, keepdim=True)
    return torch.softmax(scores.masked_fill(mask & ~empty, float("-inf")), dim=-1)
