"""True와 False가 뒤바뀌었습니다. 여기서는 True가 가림이므로 자기 자신과 앞의 토큰이 False입니다. (2.5절)"""


def causal_mask(T):
    return torch.tril(torch.ones(T, T, dtype=torch.bool))
