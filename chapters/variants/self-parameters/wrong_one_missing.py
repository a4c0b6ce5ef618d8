"""63개가 나왔습니다. Wq와 Wk 가운데 하나를 빠뜨렸습니다. 두 행렬은 모양이 같아도 따로 있습니다. (3.7절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return (d_k + d_v) * (d_model + int(bias))
