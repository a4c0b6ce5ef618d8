"""head 0에 뒤의 네 성분이 들어갔습니다. head의 차례가 거꾸로입니다. (4.2절)"""
def split_heads(x, H):
    return torch.stack(x.chunk(H, dim=-1)[::-1], dim=1)
