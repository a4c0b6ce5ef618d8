"""view로 바로 (B, H, T, d_head)를 만든 결과입니다. 한 head에 한 토큰이 여러 번 들어갑니다. T축과 H축을 맞바꾸어 나누세요. (4.2절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, H, T, d_head) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo.T
