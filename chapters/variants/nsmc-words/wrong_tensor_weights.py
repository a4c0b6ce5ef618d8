"""가중치가 파이썬의 실수가 아닙니다. tolist()나 item()으로 바꾸세요. (6.5절)"""
def top_words(tokens, weights, mask, k):
    words = []
    for token, weight, real in zip(tokens, weights, mask.tolist()):
        if not real:
            continue
        if token.startswith("##") and words:
            words[-1][0] += token[2:]
            words[-1][1] += weight
        else:
            words.append([token, weight])
    words.sort(key=lambda word: word[1], reverse=True)
    return [tuple(word) for word in words[:k]]
