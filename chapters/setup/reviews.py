#@title 리뷰 준비 (한 번 실행하세요) { display-mode: "form" }
import hashlib
import json
import os
import pathlib
import queue
import threading
import time
import urllib.request

import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F
from IPython.display import Markdown, display
from tokenizers import Tokenizer

# 이름 -> (주소, SHA-256, 리뷰나 조각의 수). 받는 주소는 여기에만 적습니다.
THERE = "https://raw.githubusercontent.com/e9t/nsmc/master/"
NSMC = {   # 공개 NSMC, CC0
    "ratings_train.txt": (
        THERE + "ratings_train.txt", "e03b7d14e9e41be8d464a28057cd25d7396c53e67aa7fd5f7e552c59b0ee2940", 150_000),
    "ratings_test.txt": (
        THERE + "ratings_test.txt", "8ac9f64052f11dbf6ae0acb5e038f03d90a76f0eda7820cfb3a92d02edfcebda", 50_000),
}
HUB = "https://huggingface.co/klue/bert-base/resolve/77c8b3d707df785034b4e50f2da5d37be5f0f546/"
KLUE = {"tokenizer.json": (HUB + "tokenizer.json", "", 32_000)}
HERE = "https://raw.githubusercontent.com/OWNER/REPOSITORY/BRANCH/chapters/data/"
BOOK = {   # 공개 NSMC를 받을 수 없을 때 쓰는 이 교재의 리뷰, CC0
    "ratings_train.txt": (HERE + "ratings_train.txt", "SHA256(data/ratings_train.txt)", 0),
    "ratings_test.txt": (HERE + "ratings_test.txt", "SHA256(data/ratings_test.txt)", 0),
}
BOOK_TOKENIZER = {"tokenizer.json": (HERE + "tokenizer.json", "SHA256(data/tokenizer.json)", 0)}
DATA, SECONDS, MAX_BYTES = pathlib.Path("data"), 8, 50_000_000


def download(addresses):
    """{이름: 주소}를 한꺼번에 받아 {이름: bytes}로 돌려줍니다. 서버가 멈추거나 느리면 SECONDS초 뒤에 OSError가 납니다."""
    arrived, deadline, files = queue.Queue(), time.monotonic() + SECONDS, {}

    def fetch(name, address):
        try:
            with urllib.request.urlopen(address, timeout=SECONDS) as response:
                arrived.put((name, response.read(MAX_BYTES)))
        except Exception as error:
            arrived.put((name, error))

    for name, address in addresses.items():   # 이름 찾기에서 멈춘 것은 기다림을 끊을 수 없어서, 따로 두고 떠납니다
        threading.Thread(target=fetch, args=(name, address), daemon=True).start()
    while len(files) < len(addresses):
        try:
            name, data = arrived.get(timeout=max(0.01, deadline - time.monotonic()))
        except queue.Empty:
            raise OSError(f"{SECONDS}초 안에 받지 못했습니다") from None
        if isinstance(data, Exception):
            raise OSError(f"받지 못한 파일: {name} ({type(data).__name__})")
        files[name] = data
    return files


def fault(name, data, sha256, wanted):
    """data가 정해 둔 파일이 아니면 그 까닭, 맞으면 빈 문자열입니다."""
    if sha256 and hashlib.sha256(data).hexdigest() == sha256:
        return ""
    try:
        found = data.count(b"\n") - 1 if name.endswith(".txt") else len(json.loads(data)["model"]["vocab"])
    except (ValueError, KeyError, TypeError):
        found = 0
    if not sha256 and found == wanted:
        return ""
    return f"받은 파일이 정해 둔 것과 다릅니다: {name} (실제 {found:,}개" + (f", 기대한 수 {wanted:,}개)" if wanted else ")")


def get(folder, files):
    """folder에 없는 files를 받아 두고 folder를 돌려줍니다. 구하지 못하면 까닭을 적은 OSError가 납니다."""
    def here(name):
        return (folder / name).is_file() and not fault(name, (folder / name).read_bytes(), *files[name][1:])

    for name, data in download({name: facts[0] for name, facts in files.items() if not here(name)}).items():
        if reason := fault(name, data, *files[name][1:]):
            raise OSError(reason)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def choose(variable, public, own):
    """(폴더, 무엇인지 알리는 말): 환경 변수 variable이 가리키는 폴더, 공개된 것, 이 교재에 실린 것의 차례로 고릅니다."""
    note = ""
    if os.environ.get(variable):
        folder = pathlib.Path(os.environ[variable])
        if missing := [name for name in own if not (folder / name).is_file()]:
            raise FileNotFoundError(
                f"{variable}에 적은 폴더에 다음 파일이 없습니다: {missing[0]}. "
                f"폴더를 고치거나 환경 변수 {variable} 설정을 지운 뒤 다시 실행하세요."
            )
        return folder, "이 교재에 실린 것" if folder == DATA else f"{variable} 폴더의 것"
    if public:
        name, folder, files = public
        try:
            return get(folder, files), name
        except OSError as error:
            note = f" ({name}: {error})"
    try:
        return get(DATA, own), "이 교재에 실린 것" + note
    except OSError as error:
        raise RuntimeError(f"리뷰를 구하지 못했습니다. 네트워크를 확인하고 이 셀을 다시 실행하세요.{note} ({error})") from None


def say(text, **values):
    """글의 {이름} 자리에 값을 채워 보여 줍니다. 리뷰가 무엇이든 글의 숫자가 그 자리에서 계산한 값이 되게 합니다."""
    display(Markdown(text.format(**values)))


REVIEWS, reviews_name = choose("NSMC_DIR", ("공개 NSMC", DATA / "nsmc", NSMC), BOOK)
KLUE_SOURCE = None if REVIEWS == DATA else ("klue/bert-base", DATA / "klue", KLUE)   # 이 교재의 리뷰에는 그 토크나이저를
TOKENIZER, tokenizer_name = choose("NSMC_TOKENIZER", KLUE_SOURCE, BOOK_TOKENIZER)
print(f"리뷰: {reviews_name} · 토크나이저: {tokenizer_name}")
