"""맞는 가중치를 padding_visible로 진단했습니다. [PAD]의 행이나 진짜 토큰의 열을 보지 않았는지 확인하세요. 볼 것은 [PAD]의 열입니다. (5.3절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    if ((weights.sum(dim=-1) - 1).abs() > 1e-4).any():
        return "zeroed_after_softmax"
    return "ok"
