"""문장이 하나일 때는 되지만 B = 3, T = 4에서 오류가 납니다. 패딩을 (B, 1, 1, T)로 바꾼 다음 합쳐 보세요. (5.6절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return (pad == 0) | causal
