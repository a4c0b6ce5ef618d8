"""빈 행은 가리지 않고 softmax를 건 뒤 0으로 바꿉니다."""


def safe_weights(scores, mask):
    empty = mask.all(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(mask & ~empty, float("-inf")), dim=-1)
    return torch.where(empty, torch.zeros_like(weights), weights)
