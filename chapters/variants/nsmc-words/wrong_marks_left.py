"""낱말에 ## 표시가 남았습니다. 앞의 두 글자를 떼고 붙이세요. (6.2절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if not real:
            continue
        if token.startswith("##") and words:
            words[-1][0] += token
            words[-1][1] += weight
        else:
            words.append([token, weight])
    words.sort(key=lambda word: word[1], reverse=True)
    return [tuple(word) for word in words[:k]]
