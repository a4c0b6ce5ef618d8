"""가벼운 낱말부터 나왔습니다. 큰 차례로 정렬하세요. (6.5절)"""
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
    words.sort(key=lambda word: word[1])
    return [tuple(word) for word in words[:k]]
