"""행의 합이 1보다 작은 가중치를 ok로 진단했습니다. 가릴 칸이 0인 것만으로는 모자랍니다. 모든 행의 합을 보세요. (2.3절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    if abs(weights[-1].sum() - 1) > 1e-4:
        return "zeroed_after_softmax"
    return "ok"
