"""exp, 더하기, 나누기로."""
def attention_pool(X, mask, queries):
    scores = torch.einsum("md,btd->bmt", queries, X)
    hidden = (mask == 0)[:, None]
    largest = scores.masked_fill(hidden, -math.inf).amax(dim=-1, keepdim=True).nan_to_num(neginf=0.0)
    exps = torch.exp(scores - largest).masked_fill(hidden, 0.0)
    weights = exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return torch.einsum("bmt,btd->bmd", weights, X), weights
