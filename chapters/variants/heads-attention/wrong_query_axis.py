"""softmax를 Query 방향(dim=-2)에 건 결과입니다. 한 Query가 몫을 Key들에 나누도록 dim=-1에 거세요. (1.3절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-2)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo.T
