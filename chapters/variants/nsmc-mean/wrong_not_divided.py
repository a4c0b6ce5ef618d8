"""진짜 토큰의 합까지만 구했습니다. 토큰의 수로 나누는 일이 남았습니다. (6.1절)"""
def masked_mean(X, mask):
    return (X * (mask != 0).unsqueeze(-1)).sum(dim=1)
