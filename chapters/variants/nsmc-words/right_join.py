"""글자로 이어 붙이고 나누기."""
def top_words(tokens, weights, mask, k):
    real = [i for i in range(len(tokens)) if mask[i]]
    starts = [i for i in real if not tokens[i].startswith("##")]
    found = []
    for start, end in zip(starts, [*starts[1:], len(real)]):
        word = "".join(tokens[start:end]).replace("##", "")
        found.append((word, weights[start:end].double().sum().item()))
    return sorted(found, key=lambda pair: -pair[1])[:k]
