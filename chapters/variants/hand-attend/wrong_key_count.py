"""가중치가 (0.0407, 0.7294, 0.2299)입니다. √3으로 나눈 값이고, 3은 Key 수입니다. Query의 성분 수인 2의 제곱근으로 나누세요. (1.2절)"""
def attend_one(q, K, V):
    scores = K @ q / math.sqrt(len(K))
    exps = torch.exp(scores - scores.max())
    weights = exps / exps.sum()
    return weights @ V, weights
