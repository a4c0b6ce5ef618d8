"""조각이 그대로 남았습니다. ##로 시작하는 조각을 앞의 낱말에 이어 붙이세요. (6.2절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if not real:
            continue
        words.append([token, weight])
    words.sort(key=lambda word: word[1], reverse=True)
    return [tuple(word) for word in words[:k]]
