"""점수를 온도로 나눈 것은 맞지만 모든 칸을 더해야 1이 됩니다. 행마다 합이 1이 되게 하세요. (I.6절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax((scores / temperature).flatten(), dim=0).view(scores.shape)
