"""넘겨받은 weights나 pad가 바뀌었습니다. 이름이 _로 끝나는 함수 대신 새 텐서를 만드는 방법을 쓰세요. (2.2절)"""


def diagnose(weights, pad):
    broken = bool(weights.isnan().any())
    weights.nan_to_num_()
    if broken:
        return "query_axis_masked"
    if (weights[:, pad == 0] > 0).any():
        return "padding_visible"
    if (torch.triu(weights, diagonal=1) > 0).any():
        return "future_visible"
    return "ok" if torch.allclose(weights.sum(dim=-1), torch.ones(len(pad)), atol=1e-4) else "zeroed_after_softmax"
