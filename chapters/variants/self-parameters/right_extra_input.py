"""bias를 언제나 1인 입력 성분 하나로 봅니다."""
def count_parameters(d_model, d_k, d_v, bias=False):
    return (d_model + int(bias)) * (d_k + d_k + d_v)
