"""앞의 토큰이 가려지고 뒤의 토큰이 보입니다. 삼각형의 방향이 반대입니다. (2.1절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    past = torch.tril(torch.ones(T, T, dtype=torch.bool), diagonal=-1)
    return (pad == 0)[:, None, None, :] | past
