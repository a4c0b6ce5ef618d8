"""돌려준 이름이 다섯 이름에 없습니다. 철자와 밑줄을 확인하세요. (5.3절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    if ((weights.sum(dim=-1) - 1).abs() > 1e-4).any():
        return "zeroed_after_softmax"
    return "ok"
