"""자리를 비교하고 logical_not으로 패딩을 고릅니다."""


def combined_mask(pad):
    place = torch.arange(pad.shape[1])
    future = place[None, None, None, :] > place[None, None, :, None]
    return torch.logical_or(pad.logical_not()[:, None, None, :], future)
