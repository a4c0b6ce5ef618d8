"""패딩이 왼쪽이나 가운데에 있으면 평균이 맞지 않습니다. 앞에서부터 세지 말고 mask를 보세요. (5.6절)"""
def masked_mean(X, mask):
    rows = []
    for x, n in zip(X, (mask != 0).sum(dim=1).tolist()):
        rows.append(x[:n].mean(dim=0) if n else torch.zeros(X.shape[-1]))
    return torch.stack(rows)
