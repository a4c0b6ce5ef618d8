"""맞는 가중치를 future_visible로 진단했습니다. 대각선이나 왼쪽 아래를 미래로 세지 않았는지 확인하세요. 미래는 대각선보다 오른쪽 위입니다. (2.1절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=0) > 0).any():
        return "future_visible"
    if ((weights.sum(dim=-1) - 1).abs() > 1e-4).any():
        return "zeroed_after_softmax"
    return "ok"
