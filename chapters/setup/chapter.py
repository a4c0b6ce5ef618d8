#@title 준비 코드 (한 번 실행하세요) { display-mode: "form" }
import hashlib
import math
import pathlib
import time
import urllib.request

import matplotlib.pyplot as plt
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F
from matplotlib import font_manager

torch.set_printoptions(precision=4, sci_mode=False)
FONT = pathlib.Path("fonts/NotoSansKR-subset.otf")
FONT_URL = "https://raw.githubusercontent.com/OWNER/REPOSITORY/BRANCH/chapters/fonts/NotoSansKR-subset.otf"
FONT_SHA256 = "0f0930edd6a07cf5f68fe58b8fdb33ddcde7f57314bae52bb58f7c69b61a4a60"


def download_font(seconds=5):
    """글꼴(0.3 MB)을 받아 bytes로 돌려줍니다. 모두 합해 seconds초를 넘기면 TimeoutError가 납니다."""
    data, deadline = b"", time.monotonic() + seconds
    with urllib.request.urlopen(FONT_URL, timeout=seconds) as response:
        while chunk := response.read1(65536):
            data += chunk
            if time.monotonic() > deadline:
                raise TimeoutError("글꼴을 제때 받지 못했습니다.")
    return data


def use_korean_font():
    """그림에 한글을 쓸 수 있게 하고 True를 돌려줍니다. 글꼴을 구하지 못하면 False입니다."""
    try:
        data = FONT.read_bytes() if FONT.exists() else download_font()
        if hashlib.sha256(data).hexdigest() != FONT_SHA256:
            return False
        if not FONT.exists():
            FONT.parent.mkdir(exist_ok=True)
            FONT.write_bytes(data)
        font_manager.fontManager.addfont(FONT)
        plt.rcParams["font.family"] = ["Noto Sans KR", "DejaVu Sans"]
        return True
    except OSError:  # 네트워크가 없거나 늦을 때
        return False


HANGUL = use_korean_font()


def label(korean, latin):
    """그림에 쓸 이름: 한글 글꼴이 있으면 한글, 없으면 로마자."""
    return korean if HANGUL else latin


def table(values, rows, columns, digits=3, row_sum=False):
    """(행, 열) 모양의 텐서를 이름 붙은 표로 만듭니다. row_sum=True이면 '행의 합' 열을 덧붙입니다."""
    values = torch.as_tensor(values, dtype=torch.float64)
    if row_sum:
        values = torch.cat([values, values.sum(dim=1, keepdim=True)], dim=1)
        columns = [*columns, "행의 합"]
    cells = [[f"{x:.{digits}f}" for x in row] for row in values.tolist()]
    return pd.DataFrame(cells, index=list(rows), columns=list(columns))
