"""로그에서 합을 빼고 마지막에 exp를 씌웁니다."""
def attend_one(q, K, V):
    scores = (K * q).sum(dim=-1) / math.sqrt(q.numel())
    top = scores.max()
    log_total = top + torch.log(torch.exp(scores - top).sum())
    weights = torch.exp(scores - log_total)
    return torch.einsum("s,sd->d", weights, V), weights
