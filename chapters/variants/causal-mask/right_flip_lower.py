"""보이는 아래 삼각형을 만든 뒤 뒤집습니다."""


def causal_mask(T):
    return ~torch.tril(torch.ones(T, T, dtype=torch.bool))
