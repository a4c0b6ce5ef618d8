"""NaN이 있는 가중치를 zeroed_after_softmax로 진단했습니다. NaN인 행도 합이 1이 아닙니다. 합보다 NaN을 먼저 확인하세요. (5.6절)"""


def diagnose(weights, pad):
    if not torch.allclose(weights.sum(dim=-1), torch.ones(len(pad)), atol=1e-4):
        return "zeroed_after_softmax"
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    return "future_visible" if (torch.triu(weights, diagonal=1) > 0).any() else "ok"
