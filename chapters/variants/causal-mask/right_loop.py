"""행마다 반복문으로 채웁니다."""


def causal_mask(T):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        mask[i, i + 1:] = True
    return mask
