"""토큰 0의 줄이 (1, 2, 3, 4, 9, 10, 11, 12)입니다. 토큰 1의 성분이 섞였습니다. 잇기 전에 H축과 T축을 맞바꾸세요. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.reshape(B, T, H * size)
