"""가린 칸이 15개이고 대각선까지 가렸습니다. 0번 행에 볼 칸이 없어 가중치가 NaN이 됩니다. 자기 자신은 보여야 합니다. (2.1절)"""


def causal_mask(T):
    return torch.triu(torch.ones(T, T, dtype=torch.bool))
