"""결과에 문장 축의 길이 3이 없습니다. 패딩은 문장마다 다르므로 B개의 마스크가 나와야 합니다. (5.2절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return causal[None, None]
