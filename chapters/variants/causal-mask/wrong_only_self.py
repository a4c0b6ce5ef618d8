"""대각선만 남고 앞뒤가 모두 가려졌습니다. 앞의 토큰은 이미 나왔으므로 보여야 합니다. (2.1절)"""


def causal_mask(T):
    return (torch.ones(T, T) - torch.eye(T)).bool()
