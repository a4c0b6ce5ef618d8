"""남은 것 가운데 가장 무거운 것을 되풀이해 고르기."""
def top_words(tokens, weights, mask, k):
    found = []
    for token, weight, real in zip(tokens, weights, mask):
        if real and token[:2] == "##" and found:
            last, share = found.pop()
            found.append((last + token[2:], share + float(weight)))
        elif real:
            found.append((token, float(weight)))
    chosen = []
    while found and len(chosen) < k:
        best = max(found, key=lambda pair: pair[1])
        found.remove(best)
        chosen.append(best)
    return chosen
