"""입력을 바꾸어도 보이는 점검의 값이 나옵니다. 값을 옮겨 적지 말고 계산하세요. (6.7절)"""
def order_gap(X, P, q, order):
    return torch.tensor(1.0695)
