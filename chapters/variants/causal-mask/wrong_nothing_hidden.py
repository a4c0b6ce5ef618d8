"""가린 칸이 하나도 없습니다. 뒤의 토큰에 해당하는 칸이 True인지 확인해 보세요. (2.1절)"""


def causal_mask(T):
    return torch.zeros(T, T, dtype=torch.bool)
