"""받은 scores가 바뀌었습니다. 제자리에서 고치는 연산(-=, exp_ 등) 대신 새 텐서를 만들어 돌려주세요."""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    scores -= scores.amax(dim=-1, keepdim=True)
    exp = scores.exp()
    return exp / exp.sum(dim=-1, keepdim=True)
