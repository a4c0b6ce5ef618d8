"""합칠 때 Wo를 head별로 나누어 einsum으로 곱해 더합니다."""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    d = x.shape[-1]
    q, k, v = (torch.einsum("btd,hed->bhte", x, W.reshape(H, d // H, d)) for W in (Wq, Wk, Wv))
    exps = torch.einsum("bhte,bhse->bhts", q / math.sqrt(d // H), k).exp()
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.einsum("bhts,bhse,ohe->bto", weights, v, Wo.reshape(d, H, d // H))
