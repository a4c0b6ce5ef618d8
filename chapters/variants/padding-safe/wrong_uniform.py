"""통째로 가려진 행을 모든 칸이 똑같이 나누어 가졌습니다. -1e9처럼 같은 수를 채우면 차이가 없어 똑같은 몫이 됩니다. 그 행은 0이어야 합니다. (5.7절)"""


def safe_weights(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
