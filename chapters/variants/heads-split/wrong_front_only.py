"""두 head가 모두 앞의 네 성분입니다. head마다 자르는 자리가 달라지는지 확인하세요. (4.2절)"""
def split_heads(x, H):
    size = x.shape[-1] // H
    return torch.stack([x[..., :size] for h in range(H)], dim=1)
