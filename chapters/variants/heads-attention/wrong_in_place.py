"""함수를 부른 뒤 x나 행렬의 값이 바뀌었습니다. /=처럼 제자리에서 고치는 연산 대신 새 텐서를 만드세요."""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    Wq /= math.sqrt(d_head)
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo.T
