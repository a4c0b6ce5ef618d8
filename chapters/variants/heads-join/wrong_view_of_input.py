"""모양이 다르거나 이어져 있지 않은 입력에서 오류가 났습니다. 축의 길이를 적어 두거나 view를 쓰지 않았는지 확인하세요. (4.3절)"""
def join_heads(x):
    B, H, T, size = x.shape
    return x.view(B, H * T, size).view(B, H, T, size).transpose(1, 2).reshape(B, T, H * size)
