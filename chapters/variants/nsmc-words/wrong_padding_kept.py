"""낱말이 네 개인데 k = 9일 때 돌려준 수가 4가 아닙니다. [PAD]를 빼고, 있는 만큼만 돌려주세요. (6.5절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if token.startswith("##") and words:
            words[-1][0] += token[2:]
            words[-1][1] += weight
        else:
            words.append([token, weight])
    words.sort(key=lambda word: word[1], reverse=True)
    return [tuple(word) for word in words[:k]]
