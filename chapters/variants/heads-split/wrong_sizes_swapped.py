"""결과의 모양이 (1, 4, 3, 2)입니다. head가 네 개가 되었습니다. 끊을 때 H와 d_head의 자리를 바꾸어 쓰지 않았는지 확인하세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.view(B, T, d_model // H, H).transpose(1, 2)
