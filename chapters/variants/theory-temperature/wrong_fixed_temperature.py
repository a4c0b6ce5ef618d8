"""온도를 0.5로 바꾸어도 온도 3의 몫이 나옵니다. 3을 적어 넣지 말고 인자 temperature를 쓰세요. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores / 3, dim=-1)
