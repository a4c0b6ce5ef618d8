"""Wo를 곱하기 전의 값입니다. 이어 붙인 다음 한 단계가 더 있습니다. (4.4절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model)
