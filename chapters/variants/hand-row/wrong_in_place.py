"""함수를 부른 뒤 w나 V의 값이 바뀌었습니다. *=처럼 제자리에서 고치는 연산 대신 새 텐서를 만드세요."""
def represent(w, V):
    V *= w[:, None]
    return V.sum(dim=0)
