"""NaN이 있는 가중치를 ok로 진단했습니다. NaN은 어떤 수와 비교해도 False라서 크기 비교로는 걸리지 않습니다. isnan으로 확인하세요. (5.6절)"""


def diagnose(weights, pad):
    if (weights == float("nan")).any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    if ((weights.sum(dim=-1) - 1).abs() > 1e-4).any():
        return "zeroed_after_softmax"
    return "ok"
