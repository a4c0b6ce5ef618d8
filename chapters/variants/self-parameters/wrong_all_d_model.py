"""147개가 나왔습니다. 세 행렬을 모두 7 × 7로 세었습니다. 나가는 성분 수는 d_model이 아니라 d_k와 d_v입니다. (3.1절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    count = 3 * d_model**2
    return count + 3 * d_model if bias else count
