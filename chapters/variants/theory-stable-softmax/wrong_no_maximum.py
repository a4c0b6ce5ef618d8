"""점수 1000, 999, 998에서 NaN이 나왔습니다. exp를 씌우기 전에 그 행의 최댓값을 빼세요. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = scores.exp()
    return exp / exp.sum(dim=-1, keepdim=True)
