"""보이는 점수가 NaN인 행까지 0으로 바꾸었습니다. 그 NaN은 다른 버그의 신호이므로 남겨야 합니다. NaN이 아니라 mask를 보고 빈 행을 고르세요. (자주 묻는 질문)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return torch.nan_to_num(weights)
