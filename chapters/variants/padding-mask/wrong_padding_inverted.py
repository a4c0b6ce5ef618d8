"""진짜 토큰의 열을 가리고 [PAD]의 열을 남겼습니다. pad에서는 1이 진짜 토큰입니다. 0인 자리를 가려 보세요. (5.2절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return (pad == 1)[:, None, None, :] | causal
