"""결과가 (1, 1)입니다. 가중치가 가장 큰 토큰의 Value만 꺼낸 값입니다. 나머지 토큰도 자기 몫만큼 섞으세요. (1.4절)"""
def represent(w, V):
    return V[w.argmax()]
