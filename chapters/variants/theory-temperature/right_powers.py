"""softmax를 먼저 하고 1/온도 제곱한 다음 행의 합으로 다시 나눕니다."""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    powers = torch.softmax(scores, dim=-1) ** (1 / temperature)
    return powers / powers.sum(dim=-1, keepdim=True)
