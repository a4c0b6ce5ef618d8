"""보아도 되는 칸을 AND로 구한 뒤 뒤집습니다."""


def combined_mask(pad):
    T = pad.shape[-1]
    allowed = pad.bool()[:, None, None, :] & torch.tril(torch.ones(T, T, dtype=torch.bool))
    return ~allowed
