"""함수를 부른 뒤 Q나 K의 값이 바뀌었습니다. /=처럼 제자리에서 고치는 연산 대신 새 텐서를 만드세요."""
def scaled_scores(Q, K):
    Q /= math.sqrt(Q.shape[-1])
    return Q @ K.transpose(-2, -1)
