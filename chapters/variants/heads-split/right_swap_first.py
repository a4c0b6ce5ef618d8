"""축을 먼저 맞바꾼 다음 성분 축을 끊고 되돌립니다."""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.transpose(1, 2).reshape(B, H, d_model // H, T).transpose(2, 3)
