"""출력은 SDPA로, 가중치는 V 자리에 단위 행렬을 넣어 구합니다."""
class SizedSelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.Wq = nn.Linear(d_model, d_k, bias=False)
        self.Wk = nn.Linear(d_model, d_k, bias=False)
        self.Wv = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x, causal=False):
        Q, K, V = self.Wq(x), self.Wk(x), self.Wv(x)
        identity = torch.eye(x.shape[1]).expand(x.shape[0], -1, -1)
        w = F.scaled_dot_product_attention(Q, K, identity, is_causal=causal)
        return F.scaled_dot_product_attention(Q, K, V, is_causal=causal), w
