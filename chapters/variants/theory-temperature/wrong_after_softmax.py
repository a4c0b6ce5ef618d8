"""행의 합이 1/3입니다. softmax를 마친 몫을 온도로 나누었습니다. 먼저 점수를 나누세요. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores, dim=-1) / temperature
