"""점수를 온도로 나눈 것은 맞지만 열의 합이 1입니다. dim=0 대신 마지막 축을 쓰세요. (I.6절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores / temperature, dim=0)
