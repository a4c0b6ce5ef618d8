"""같은 낱말을 하나로 합쳤습니다. softmax는 토큰마다 몫을 주므로 따로 두세요. (6.5절)"""
def top_words(tokens, weights, mask, k):
    shares, spans = {}, []
    for token, weight, real in zip(tokens, weights.tolist(), mask.tolist()):
        if real and token.startswith("##"):
            spans[-1] = (spans[-1][0] + token[2:], spans[-1][1] + weight)
        elif real:
            spans.append((token, weight))
    for word, weight in spans:
        shares[word] = shares.get(word, 0.0) + weight
    return sorted(shares.items(), key=lambda word: -word[1])[:k]
