"""head마다 행렬의 자기 몫만 곱하고 이어 붙입니다."""
def multi_head(x, Wq, Wk, Wv, Wo, H):
    size = x.shape[-1] // H
    heads = []
    for h in range(H):
        part = slice(h * size, (h + 1) * size)
        q, k, v = x @ Wq[part].T, x @ Wk[part].T, x @ Wv[part].T
        scores = torch.bmm(q, k.transpose(1, 2)) * size ** -0.5
        heads.append(torch.bmm(scores.softmax(dim=2), v))
    return F.linear(torch.cat(heads, dim=2), Wo)
