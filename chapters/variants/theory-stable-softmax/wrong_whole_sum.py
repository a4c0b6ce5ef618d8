"""모든 칸을 더해야 1이 됩니다. 텐서 전체의 합이 아니라 행마다 그 행의 합으로 나누세요. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = (scores - scores.max()).exp()
    return exp / exp.sum()
