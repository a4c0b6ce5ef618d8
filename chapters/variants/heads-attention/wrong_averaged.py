"""head의 가중치를 평균해서 쓴 결과입니다. head마다 자기 가중치로 섞은 다음 이어 붙이세요. (4.7절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1).mean(dim=1, keepdim=True)
    heads = weights @ v
    return heads.transpose(1, 2).reshape(B, T, d_model) @ Wo.T
