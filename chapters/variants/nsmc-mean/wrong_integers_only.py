"""mask가 실수나 bool이면 오류가 납니다. 세 dtype에서 모두 통하게, mask를 0과 비교해 보세요. (5.2절)"""
def masked_mean(X, mask):
    hidden = (1 - mask).unsqueeze(-1).bool()
    return X.masked_fill(hidden, 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)
