"""head가 하나이거나 head마다 성분이 하나일 때 모양이 맞지 않습니다. 이때도 축은 네 개여야 합니다. (4.2절)"""
def split_heads(x, H):
    if H == 1:
        return x
    return torch.stack(x.chunk(H, dim=-1), dim=1)
