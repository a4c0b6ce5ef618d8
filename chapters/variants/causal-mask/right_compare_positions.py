"""자리를 비교해 만듭니다."""


def causal_mask(T):
    position = torch.arange(T)
    return position[None, :] > position[:, None]
