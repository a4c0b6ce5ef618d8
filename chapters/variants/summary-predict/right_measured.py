"""모듈을 만들어 재고 셉니다."""


def predict(B, T, d, H):
    layer = nn.MultiheadAttention(d, H, bias=False, batch_first=True)
    with_bias = nn.MultiheadAttention(d, H, batch_first=True)
    x = torch.randn(B, T, d)
    mask = torch.ones(T, T, dtype=torch.bool).triu(1)
    output, weights = layer(x, x, x, attn_mask=mask, need_weights=True, average_attn_weights=False)
    seen = (weights[0, 0] > 0).sum(dim=-1).tolist()
    return {
        "output": tuple(output.shape),
        "weights": tuple(weights.shape),
        "d_head": layer.head_dim,
        "parameters": sum(p.numel() for p in layer.parameters()),
        "parameters_with_bias": sum(p.numel() for p in with_bias.parameters()),
        "last_row_visible": seen[-1],
        "first_row_visible": seen[0],
    }
