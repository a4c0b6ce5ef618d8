"""가린 칸이 6개입니다. 자리마다 바로 다음 토큰, 곧 정답이 보입니다. 경계를 한 칸 옮겨 보세요. (2.1절)"""


def causal_mask(T):
    return torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=2)
