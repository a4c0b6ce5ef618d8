"""행이 아니라 열의 합이 1입니다. 마지막 축이 아니라 dim=0을 따라 계산했습니다. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = (scores - scores.amax(dim=0, keepdim=True)).exp()
    return exp / exp.sum(dim=0, keepdim=True)
