"""토큰 0의 줄이 (1, 9, 17, 2, 10, 18, 3, 11)입니다. 마지막 두 축을 맞바꾸었습니다. 맞바꿀 축은 H축과 T축입니다. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.transpose(2, 3).reshape(B, T, H * size)
