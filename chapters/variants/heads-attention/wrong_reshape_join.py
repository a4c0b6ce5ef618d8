"""합칠 때 축을 맞바꾸지 않은 결과입니다. 한 줄에 여러 토큰이 섞입니다. reshape 앞에서 H축과 T축을 맞바꾸세요. (4.3절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, T, H, d_head).transpose(1, 2) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.reshape(B, T, d_model) @ Wo.T
