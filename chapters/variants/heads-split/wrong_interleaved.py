"""head 0의 첫 행이 (1, 3, 5, 7)입니다. 성분을 하나씩 번갈아 나누었습니다. 이어진 네 성분을 한 head에 주세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.view(B, T, d_model // H, H).permute(0, 3, 1, 2)
