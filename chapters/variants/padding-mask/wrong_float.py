"""마스크의 dtype이 bool이 아닙니다. True와 False로 만들어 OR로 합쳐 보세요. (5.3절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T), diagonal=1)
    return torch.maximum((pad == 0).float()[:, None, None, :], causal)
