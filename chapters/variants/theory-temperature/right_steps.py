"""torch.softmax 없이 최댓값 빼기, exp, 더하기, 나누기로 계산합니다."""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    scaled = scores / temperature
    exp = (scaled - scaled.amax(dim=-1, keepdim=True)).exp()
    return exp / exp.sum(dim=-1, keepdim=True)
