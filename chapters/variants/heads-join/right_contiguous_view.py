"""축을 옮겨 새 메모리에 적은 다음 view로 잇습니다."""
def join_heads(x):
    B, H, T, size = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * size)
