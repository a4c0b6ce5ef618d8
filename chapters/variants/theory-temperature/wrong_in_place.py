"""받은 scores가 바뀌었습니다. scores /= temperature처럼 제자리에서 고치지 말고 새 텐서를 만드세요."""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    scores /= temperature
    return torch.softmax(scores, dim=-1)
