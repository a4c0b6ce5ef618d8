"""head 0의 첫 행이 (1, 9, 17, 2)입니다. T축과 성분 축을 맞바꾼 뒤에 끊었습니다. 먼저 끊고 나서 T축과 H축을 맞바꾸세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.transpose(1, 2).reshape(B, H, T, d_model // H)
