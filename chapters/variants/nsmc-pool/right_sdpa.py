"""PyTorch의 함수로."""
def attention_pool(X, mask, queries):
    hidden = (mask == 0)[:, None, :].expand(-1, len(queries), -1)
    empty = hidden.all(dim=-1, keepdim=True)
    scores = torch.matmul(queries, X.mT)
    weights = torch.where(empty, 0.0, torch.softmax(torch.where(hidden, -math.inf, scores), dim=-1))
    return torch.bmm(weights, X), weights
