"""문장과 토큰을 하나씩 돌고, 보이는 토큰만 잘라서 계산합니다."""
class SizedSelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.Wq = nn.Linear(d_model, d_k, bias=False)
        self.Wk = nn.Linear(d_model, d_k, bias=False)
        self.Wv = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x, causal=False):
        B, T, _ = x.shape
        w = torch.zeros(B, T, T)
        for b in range(B):
            for t in range(T):
                seen = t + 1 if causal else T
                k = self.Wk(x[b, :seen])
                w[b, t, :seen] = torch.softmax(k @ self.Wq(x[b, t]) / len(k[0]) ** 0.5, dim=0)
        return torch.bmm(w, self.Wv(x)), w
