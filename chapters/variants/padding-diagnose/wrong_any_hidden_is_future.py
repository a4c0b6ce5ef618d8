"""[PAD]의 열에 몫이 있는 가중치를 future_visible로 진단했습니다. 대각선보다 오른쪽 위는 모두 0입니다. [PAD]의 열을 따로 보세요. (5.1절)"""


def diagnose(weights, pad):
    if weights.isnan().any():
        return "query_axis_masked"
    T = len(pad)
    hidden = (pad == 0) | torch.ones(T, T, dtype=torch.bool).triu(1)
    if (weights * hidden > 0).any():
        return "future_visible"
    return "ok" if torch.allclose(weights.sum(dim=-1), torch.ones(T), atol=1e-4) else "zeroed_after_softmax"
