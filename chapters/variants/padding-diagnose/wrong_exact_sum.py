"""맞는 가중치를 zeroed_after_softmax로 진단했습니다. 행의 합은 반올림 때문에 0.9999999일 수 있습니다. ==나 <로 1과 견주지 말고 작은 차이를 허용하세요. (5.3절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    if (weights.sum(dim=-1) != 1).any():
        return "zeroed_after_softmax"
    return "ok"
