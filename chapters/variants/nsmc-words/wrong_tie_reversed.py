"""가중치가 같은 낱말의 차례가 바뀌었습니다. 먼저 나온 낱말이 앞에 오게 하세요. (6.5절)"""
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
    words = sorted(words, key=lambda word: word[1])[::-1]
    return [tuple(word) for word in words[:k]]
