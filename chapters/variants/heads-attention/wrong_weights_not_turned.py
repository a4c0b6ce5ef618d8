"""행렬을 뒤집지 않고 곱한 결과입니다. 모양이 (나가는 성분 수, 들어오는 성분 수)인 행렬은 뒤집어 곱합니다. (4.6절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo
