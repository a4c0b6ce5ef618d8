"""bias=True인데 개수가 그대로 91개입니다. 세 층의 bias를 더하세요. (3.2절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return d_model * (2 * d_k + d_v)
