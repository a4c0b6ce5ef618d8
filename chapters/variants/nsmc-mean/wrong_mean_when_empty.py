"""토큰이 없는 리뷰가 0이 아닙니다. 패딩의 평균을 대신 넣지 말고 0으로 채우세요. (6.3절)"""
def masked_mean(X, mask):
    real = (mask != 0).unsqueeze(-1)
    mean = X.masked_fill(~real, 0.0).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return torch.where(real.any(dim=1), mean, X.mean(dim=1))
