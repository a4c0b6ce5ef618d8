"""패딩 자리의 값이 결과에 섞였습니다. 0을 곱하면 무한대가 NaN이 됩니다. 패딩 자리를 0으로 바꾼 다음 더하세요. (5.8절)"""
def masked_mean(X, mask):
    real = (mask != 0).unsqueeze(-1)
    return (X * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
