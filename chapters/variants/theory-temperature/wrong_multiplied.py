"""온도가 3인데 몫이 고르게 퍼지지 않고 한쪽으로 쏠렸습니다. 점수에 온도를 곱하지 말고 온도로 나누세요. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores * temperature, dim=-1)
