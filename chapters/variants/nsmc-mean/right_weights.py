"""똑같은 몫의 가중합으로."""
def masked_mean(X, mask):
    real = (mask != 0).to(X.dtype)
    shares = real / real.sum(dim=1, keepdim=True).clamp(min=1)
    return torch.einsum('bt,btd->bd', shares, X.masked_fill((mask == 0).unsqueeze(-1), 0.0))
