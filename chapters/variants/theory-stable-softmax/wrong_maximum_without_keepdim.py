"""다른 행의 최댓값을 뺐습니다. 최댓값을 구할 때 keepdim=True로 축을 남기세요. (힌트 2)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    exp = (scores - scores.amax(dim=-1)).exp()
    return exp / exp.sum(dim=-1, keepdim=True)
