"""모든 리뷰를 같은 수로 나누었습니다. 진짜 토큰의 수는 리뷰마다 다릅니다. (6.1절)"""
def masked_mean(X, mask):
    real = (mask != 0).unsqueeze(-1)
    return (X * real).sum(dim=1) / real.sum(dim=1).max().clamp(min=1)
