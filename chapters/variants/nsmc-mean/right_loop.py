"""리뷰마다 골라 평균하기."""
def masked_mean(X, mask):
    rows = [x[m != 0].mean(dim=0) if (m != 0).any() else torch.zeros(X.shape[-1]) for x, m in zip(X, mask)]
    return torch.stack(rows)
