"""온도의 제곱근으로 나눈 값입니다. 온도는 그대로 나눕니다. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores / temperature**0.5, dim=-1)
