"""[PAD]의 열이 모두 0인 가중치를 padding_visible로 진단했습니다. 미래라서 가려야 할 칸과 패딩이라서 가려야 할 칸을 따로 보세요. (5.3절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    T = len(pad)
    hidden = (pad == 0) | torch.ones(T, T, dtype=torch.bool).triu(1)
    if (weights * hidden > 0).any():
        return "padding_visible"
    return "ok" if torch.allclose(weights.sum(dim=-1), torch.ones(T), atol=1e-4) else "zeroed_after_softmax"
