"""문장이 하나일 때는 맞지만 둘 이상이면 문장끼리 섞입니다. B축과 T축을 하나로 합치지 마세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    size = d_model // H
    return x.reshape(B * T, H, size).transpose(0, 1).reshape(B, H, T, size)
