"""bias=False인데 bias까지 세었습니다. bias가 True일 때만 더하세요. (3.2절)"""
def count_parameters(d_model, d_k, d_v, bias=False):
    layers = [nn.Linear(d_model, size) for size in (d_k, d_k, d_v)]
    return sum(p.numel() for layer in layers for p in layer.parameters())
