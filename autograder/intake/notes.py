"""What repair says of a hand-in, to the student as to the instructor: one sentence or two for each thing that was done."""
from __future__ import annotations

import sys

OURS = f"Python {sys.version_info.major}.{sys.version_info.minor}"

# Why there is nothing to grade.
UNTOUCHED = (
    "답을 쓴 셀이 하나도 없습니다. 배포한 과제 그대로이거나 답을 지운 파일입니다. "
    "Colab이라면 Drive에 저장한 사본을 내려받았는지 확인하고 다시 제출하세요."
)
CHAPTER = "과제가 아니라 교재 본문의 노트북이고, 그 안에 쓴 답도 없습니다. 과제 노트북을 제출하세요."
OTHER = "다른 과제({name})의 노트북입니다. 어느 과제에 낼 파일인지 확인하세요."
NOT_OURS = "이 과제의 셀이 하나도 없는 노트북입니다. 다른 파일을 골랐는지 확인하고 과제 노트북을 제출하세요."

# Of the notebook as a whole.
FROM_CHAPTER = "과제가 아니라 교재 본문의 노트북입니다. 그 안에 있는 직접 해보기만 채점합니다."
EDITION = "과제의 다른 버전({theirs})으로 만든 노트북입니다. 지금 버전({ours})에도 있는 문제만 채점합니다."
FOUND = "과제가 셀에 단 표시가 지워져, 셀 {count}개를 셀 id나 내용으로 다시 찾았습니다."
ORDER = "셀의 순서가 과제와 달라 과제의 순서로 되돌렸습니다."
TEXTS = "과제의 안내나 준비 셀 {count}개가 지워지거나 고쳐져 있어 배포한 내용으로 되돌렸습니다."
OWN_SKIPPED = "직접 만든 셀에서 채점하는 곳에서는 할 수 없는 것을 건너뜁니다: {what}."
OWN_NEWER = f"직접 만든 셀의 새 문법({{what}})을 채점하는 {OURS}이 읽도록 같은 뜻의 옛 문법으로 바꾸었습니다."

# Of one 직접 해보기; its title stands before.
BY_NAME = "답 셀의 표시가 지워져 함수 이름으로 찾았습니다."
BY_PLACE = "답 셀의 표시가 지워져 놓인 자리로 찾았습니다. 다른 글이 답으로 잡혔으면 강사에게 알려 주세요."
SWAPPED = "답이 다른 직접 해보기의 답 셀에 있어 함수 이름을 보고 제자리로 옮겼습니다."
SPLIT = "나뉜 답 셀을 이어 붙였습니다."
TWICE = (
    "서로 다른 답이 {count}개 있습니다. 위에서부터 실행할 때 점검이 쓰는 답, 곧 점검 위의 마지막 답"
    "(점검 위에 없으면 처음 답)을 채점합니다."
)
BOTH = "답 셀이 {count}개여서 쓴 글을 모두 이어 붙였습니다."
COPIES = "같은 {kind} 셀이 여럿이어서 하나만 남겼습니다."
ELSEWHERE = "답 셀에 없던 답을 {where} 셀에서 찾아 답 셀로 옮겼습니다."
KIND = "답 셀의 종류가 바뀌어 있어 {kind} 셀로 되돌렸습니다."
FENCE = "답을 감싼 ``` 줄을 지웠습니다."
STUB = "답과 함께 남아 있던 빈칸 표시 줄을 지웠습니다."
MISSING = "답 셀이 없습니다. 빈칸으로 두고 채점합니다."
NEWER = f"새 문법({{what}})을 채점하는 {OURS}이 읽도록 같은 뜻의 옛 문법으로 바꾸었습니다."
SKIPPED = "채점하는 곳에서는 할 수 없는 것을 건너뜁니다: {what}."
CUT = "출력이 너무 길어 앞부분만 보관합니다."
CHECK_GONE = "지워진 점검 셀을 되살렸습니다."
CHECK_EDITED = "고쳐진 점검 셀을 배포한 내용으로 되돌렸습니다."
ADDED = "과제의 셀에 더한 코드를 떼어 따로 실행합니다."
