"""몫을 거듭제곱해 행의 합이 1을 넘었습니다. 행의 합으로 다시 나누거나, 처음부터 점수를 온도로 나누세요. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return torch.softmax(scores, dim=-1) ** (1 / temperature)
