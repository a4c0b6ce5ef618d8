"""[PAD]의 열과 행을 모두 가렸습니다. [PAD]의 행이 통째로 가려져 가중치가 NaN이 됩니다. 패딩은 Key 축에서만 가립니다. (5.6절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    hide = pad == 0
    return hide[:, None, None, :] | hide[:, None, :, None] | causal
