"""빈 텐서에 head마다 자른 성분을 채웁니다."""
def split_heads(x, H):
    B, T, d_model = x.shape
    size = d_model // H
    heads = torch.empty(B, H, T, size, dtype=x.dtype)
    for h in range(H):
        heads[:, h] = x[:, :, h * size : (h + 1) * size]
    return heads
