"""성분을 H조각으로 잘라 새 축으로 쌓습니다."""
def split_heads(x, H):
    return torch.stack(x.chunk(H, dim=-1), dim=1)
