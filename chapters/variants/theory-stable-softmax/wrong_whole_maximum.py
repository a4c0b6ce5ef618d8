"""큰 점수가 있는 행은 맞지만 작은 점수만 있는 행이 NaN입니다. 최댓값을 전체에서 하나만 고르지 말고 행마다 고르세요. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = (scores - scores.max()).exp()
    return exp / exp.sum(dim=-1, keepdim=True)
