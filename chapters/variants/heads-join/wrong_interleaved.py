"""토큰 0의 줄이 (1, 5, 2, 6, 3, 7, 4, 8)입니다. 두 head의 성분을 번갈아 놓았습니다. H축이 마지막이 아니라 성분 축의 앞에 오게 하세요. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * size)
