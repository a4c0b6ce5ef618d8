"""글에 나온 차례 그대로입니다. 가중치가 큰 차례로 정렬하세요. (6.5절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if not real:
            continue
        if token.startswith("##") and words:
            words[-1][0] += token[2:]
            words[-1][1] += weight
        else:
            words.append([token, weight])
    return [tuple(word) for word in words[:k]]
