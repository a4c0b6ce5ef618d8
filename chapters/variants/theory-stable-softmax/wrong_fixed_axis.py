"""축이 셋인 점수에서 가운데 축을 따라 계산했습니다. dim=1 대신 마지막 축인 dim=-1을 쓰세요. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = (scores - scores.amax(dim=1, keepdim=True)).exp()
    return exp / exp.sum(dim=1, keepdim=True)
