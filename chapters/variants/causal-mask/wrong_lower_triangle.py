"""앞의 토큰이 가려지고 뒤의 토큰이 보입니다. 가린 칸이 10개인 것은 맞지만 삼각형의 방향이 반대입니다. (2.1절)"""


def causal_mask(T):
    return torch.tril(torch.ones(T, T, dtype=torch.bool), diagonal=-1)
