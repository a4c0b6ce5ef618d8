"""결과가 정수(int)가 아닙니다. 개수는 정수로 세고, 텐서나 소수이면 int로 바꾸세요. (3.2절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    sizes = torch.tensor([d_k, d_k, d_v])
    return (sizes * (d_model + int(bias))).sum()
