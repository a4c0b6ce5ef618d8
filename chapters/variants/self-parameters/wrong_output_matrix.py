"""126개가 나왔습니다. 행렬을 하나 더 세었습니다. 이 층에는 Wq, Wk, Wv만 있습니다. (3.2절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return (2 * d_k + d_v) * (d_model + int(bias)) + d_v * d_model
