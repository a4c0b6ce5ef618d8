"""진짜 토큰이 아니라 패딩을 평균했습니다. mask에서는 1이 진짜 토큰입니다. (5.2절)"""
def masked_mean(X, mask):
    pad = (mask == 0).unsqueeze(-1)
    return (X * pad).sum(dim=1) / pad.sum(dim=1).clamp(min=1)
