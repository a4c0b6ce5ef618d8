"""결과의 모양이 (1, 3, 2, 4)입니다. 성분은 끊었고, head 축을 토큰 축의 앞으로 옮기는 일이 남았습니다. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.view(B, T, H, d_model // H)
