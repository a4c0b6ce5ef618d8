"""exp를 거치지 않고 점수를 점수의 합으로 나눈 값입니다. 세 걸음 가운데 exp가 빠졌습니다. (I.4절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return scores / scores.sum(dim=-1, keepdim=True)
