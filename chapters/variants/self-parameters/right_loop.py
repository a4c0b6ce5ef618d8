"""층마다 더합니다."""
def count_parameters(d_model, d_k, d_v, bias=False):
    count = 0
    for size in (d_k, d_k, d_v):
        count += d_model * size
        if bias:
            count += size
    return count
