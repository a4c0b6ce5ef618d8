"""마스크의 dtype이 bool이 아닙니다. 가릴지 말지는 True와 False로 적습니다. dtype=torch.bool로 만들어 보세요. (2.1절)"""


def causal_mask(T):
    return torch.triu(torch.ones(T, T), diagonal=1)
