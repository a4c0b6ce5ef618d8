"""0과 -inf로 된 실수 마스크를 점수에 더합니다."""


def masked_weights(scores, mask):
    bias = torch.zeros(mask.shape).masked_fill(mask, float("-inf"))
    return torch.softmax(scores + bias, dim=-1)
