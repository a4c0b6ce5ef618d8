"""칸을 자기 행이 아닌 다른 행의 합으로 나누었습니다. 더할 때 keepdim=True로 축을 남기세요. (힌트 2)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    exp = shifted.exp()
    return exp / exp.sum(dim=-1)
