"""True와 False가 뒤바뀌었습니다. 여기서는 True가 가림입니다. (2.5절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return ~((pad == 0)[:, None, None, :] | causal)
