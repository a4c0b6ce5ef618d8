"""결과의 모양이 (3, 4, 4)입니다. head 축의 자리가 빠졌습니다. 문장 축이 head 축으로 읽히지 않게 (B, 1, T, T)로 만드세요. (5.6절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return (pad == 0)[:, None, :] | causal
