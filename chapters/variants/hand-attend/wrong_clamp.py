"""점수가 아주 클 때 가중치가 모두 같아집니다. 큰 점수를 잘라 내면 차이가 사라집니다. 자르지 말고 최댓값을 빼세요. (1.3절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(q))
    exps = torch.exp(scores.clamp(-80, 80))
    weights = exps / exps.sum()
    return weights @ V, weights
