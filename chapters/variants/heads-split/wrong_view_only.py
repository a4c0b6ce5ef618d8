"""head 0의 둘째 행이 (5, 6, 7, 8)입니다. 토큰 1의 자리에 토큰 0의 뒤쪽 성분이 왔습니다. view로 바로 바꾸지 말고 T축과 H축을 맞바꾸세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.view(B, H, T, d_model // H)
