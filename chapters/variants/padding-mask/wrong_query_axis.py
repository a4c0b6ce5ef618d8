"""[PAD]의 열이 아니라 행을 가렸습니다. [PAD]의 행은 비고, 앞에 있는 [PAD]는 진짜 토큰에게 그대로 보입니다. 패딩을 Key 축에 놓아 보세요. (5.6절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return (pad == 0)[:, None, :, None] | causal
