"""보이는 점수의 최댓값을 빼고 지수를 구해, 합이 0인 행은 1로 나눕니다."""


def safe_weights(scores, mask):
    hidden = scores.masked_fill(mask, float("-inf"))
    largest = hidden.amax(dim=-1, keepdim=True)
    largest = torch.where(largest == float("-inf"), 0.0, largest)
    exps = torch.exp(hidden - largest)
    total = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(total == 0, 1.0, total)
