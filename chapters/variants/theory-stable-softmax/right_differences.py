"""최댓값 없이 모든 점수 쌍의 차이로 계산합니다. 1 / Σ exp(s_j - s_i)는 넘치면 0이 됩니다."""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    gaps = scores.unsqueeze(-2) - scores.unsqueeze(-1)    # (…, 1, n) - (…, n, 1) -> (…, n, n)
    return 1 / gaps.exp().sum(dim=-1)
