"""-1e9로 가린 가중치에서 가린 칸을 0으로 곱해 지웁니다. 빈 행이 아니면 이미 0입니다."""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights * ~mask
