"""소수 셋째 자리에서 반올림한 값입니다. round는 보일 때만 쓰고 돌려줄 때는 쓰지 마세요. (I.3절)"""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    exp = shifted.exp()
    return (exp / exp.sum(dim=-1, keepdim=True)).round(decimals=3)
