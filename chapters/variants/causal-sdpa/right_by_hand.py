"""SDPA 대신 점수, 가림, softmax, 가중합을 차례로 계산합니다."""


def sdpa_hide(Q, K, V, mask):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ V
