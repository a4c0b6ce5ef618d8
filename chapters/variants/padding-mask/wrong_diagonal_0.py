"""대각선까지 가렸습니다. 0번 행이 비어 NaN이 됩니다. 진짜 토큰은 자기 자신을 볼 수 있어야 합니다. (2.1절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool))
    return (pad == 0)[:, None, None, :] | causal
