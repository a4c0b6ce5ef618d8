"""마스크 안에 -inf가 들어 있습니다. -inf는 점수에 채우는 값이고, 마스크에는 True와 False만 둡니다. (2.2절)"""


def causal_mask(T):
    return torch.triu(torch.full((T, T), float("-inf")), diagonal=1)
