"""진짜 토큰이 자기보다 뒤의 토큰을 보는 가중치를 ok로 진단했습니다. 대각선보다 오른쪽 위를 보세요. (2.1절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if ((weights.sum(dim=-1) - 1).abs() > 1e-4).any():
        return "zeroed_after_softmax"
    return "ok"
