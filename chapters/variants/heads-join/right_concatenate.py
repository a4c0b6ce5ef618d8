"""head를 하나씩 꺼내 성분 방향으로 이어 붙입니다."""
def join_heads(x):
    return torch.cat(list(x.unbind(dim=1)), dim=-1)
