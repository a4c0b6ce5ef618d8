"""합치다가 오류가 났습니다. 축을 맞바꾼 텐서에는 view를 쓸 수 없을 때가 있습니다. 4.3절의 오류 메시지를 다시 읽어 보세요. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.transpose(1, 2).view(B, T, H * size)
