"""점수 1000, 999, 998이 모두 같은 몫을 받았습니다. 큰 점수를 자르면 차이가 사라집니다. 자르지 말고 최댓값을 빼세요. (I.6절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = scores.clamp(max=80).exp()
    return exp / exp.sum(dim=-1, keepdim=True)
