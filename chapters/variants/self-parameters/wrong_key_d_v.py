"""98개가 나왔습니다. Wk의 나가는 성분 수를 d_v로 세었습니다. 내적을 하려면 Query와 Key의 성분 수가 같아야 합니다. (3.1절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    return (d_k + 2 * d_v) * (d_model + int(bias))
