"""T를 바꾸어도 다섯 토큰의 마스크가 나옵니다. 값을 적어 두지 말고 T에서 계산하세요. (2.1절)"""


def causal_mask(T):
    return torch.tensor([
        [False, True, True, True, True],
        [False, False, True, True, True],
        [False, False, False, True, True],
        [False, False, False, False, True],
        [False, False, False, False, False],
    ])
