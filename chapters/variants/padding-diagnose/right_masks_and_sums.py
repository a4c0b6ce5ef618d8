"""마스크로 고른 몫의 합과 행의 합을 견주며, 합을 먼저 봅니다."""


def diagnose(weights, pad):
    sums = weights.sum(dim=-1)
    if sums.isnan().any():
        return "query_axis_masked"
    if not torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return "zeroed_after_softmax"
    place = torch.arange(len(pad))
    future = (weights * (place[None, :] > place[:, None])).sum()
    padding = (weights * (1 - pad)).sum()
    return "padding_visible" if padding > 0 else "future_visible" if future > 0 else "ok"
