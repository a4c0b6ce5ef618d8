"""softmax를 head 축(dim=1)에 건 결과입니다. 몫은 한 head 안에서 Key 방향(dim=-1)으로 나눕니다. (4.4절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=1)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo.T
