"""나눌 때와 합칠 때 모두 축을 맞바꾸지 않았습니다. 나누었다가 합치면 돌아오지만, 그 사이의 어텐션은 틀린 칸으로 계산됩니다. (4.2절, 4.3절)"""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    B, T, d_model = x.shape
    d_head = d_model // H
    q, k, v = ((x @ W.T).view(B, H, T, d_head) for W in (Wq, Wk, Wv))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_head)
    weights = torch.softmax(scores, dim=-1)
    heads = weights @ v
    return heads.reshape(B, T, d_model) @ Wo.T
