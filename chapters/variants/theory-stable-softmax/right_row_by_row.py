"""행을 하나씩 꺼내 계산하고 처음 모양으로 돌려놓습니다."""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    shares = []
    for row in scores.reshape(-1, scores.shape[-1]):
        exp = (row - row.max()).exp()
        shares.append(exp / exp.sum())
    return torch.stack(shares).reshape(scores.shape)
