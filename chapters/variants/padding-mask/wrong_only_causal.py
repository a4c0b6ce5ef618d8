"""모든 문장의 마스크가 인과 마스크뿐입니다. 패딩이 있는 문장에서는 [PAD]의 열도 가려야 합니다. (5.2절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return causal.expand(len(pad), 1, T, T)
