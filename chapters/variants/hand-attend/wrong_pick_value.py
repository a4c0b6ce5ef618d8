"""새 표현이 (0, 1)입니다. 가중치가 가장 큰 토큰의 Value만 꺼낸 값입니다. 세 토큰을 모두 몫대로 섞으세요. (1.4절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(q))
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return V[weights.argmax()], weights
