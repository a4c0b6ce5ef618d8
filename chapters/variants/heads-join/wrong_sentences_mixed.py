"""문장이 하나일 때는 맞지만 둘 이상이면 문장끼리 섞입니다. 문장 축을 맨 앞에 두고 H축과 T축만 맞바꾸세요. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.permute(2, 0, 1, 3).reshape(B, T, H * size)
