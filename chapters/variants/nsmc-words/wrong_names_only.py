"""(낱말, 가중치) 튜플의 목록을 돌려주세요."""
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
    words.sort(key=lambda word: word[1], reverse=True)
    return [word for word, _ in words[:k]]
