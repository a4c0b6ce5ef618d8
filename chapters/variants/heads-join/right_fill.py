"""빈 텐서의 자기 자리에 head마다 채웁니다."""
def join_heads(x):
    B, H, T, size = x.shape
    joined = torch.empty(B, T, H * size, dtype=x.dtype)
    for h in range(H):
        joined[:, :, h * size : (h + 1) * size] = x[:, h]
    return joined
