"""[PAD]의 열만 가렸습니다. 뒤에 오는 토큰도 함께 가려야 합니다. (5.3절)"""


def combined_mask(pad):
    B, T = pad.shape
    return (pad == 0)[:, None, None, :].expand(B, 1, T, T)
