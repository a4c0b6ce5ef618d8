"""온도를 주지 않은 몫과 같습니다. 점수에서 온도를 빼거나 나눈 몫을 다시 합으로 나누면 온도의 효과가 사라집니다. (I.6절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores - temperature, dim=-1)
