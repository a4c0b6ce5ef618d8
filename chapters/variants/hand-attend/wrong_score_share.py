"""가중치가 (0.0909, 0.5455, 0.3636)입니다. 점수를 점수의 합으로 나눈 값입니다. 나누기 전에 exp를 씌우세요. (1.3절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(q))
    weights = scores / scores.sum()
    return weights @ V, weights
