"""축이 셋인 점수에서 가운데 축을 따라 계산했습니다. dim=1 대신 마지막 축인 dim=-1을 쓰세요. (I.6절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores / temperature, dim=1)
