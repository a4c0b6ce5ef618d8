"""nn.Linear를 실제로 만들어 칸을 셉니다."""
def count_parameters(d_model, d_k, d_v, bias=False):
    layers = [nn.Linear(d_model, size, bias=bias) for size in (d_k, d_k, d_v)]
    return sum(p.numel() for layer in layers for p in layer.parameters())
