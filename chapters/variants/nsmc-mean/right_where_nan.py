"""빈 리뷰의 NaN을 나중에 0으로."""
def masked_mean(X, mask):
    real = (mask != 0).unsqueeze(-1)
    mean = torch.where(real, X, 0.0).sum(dim=1) / real.sum(dim=1)
    return torch.where(real.any(dim=1), mean, 0.0)
