"""Words that mark an answer, in the languages in which models answer: cue nouns, what may stand before, separators."""

from __future__ import annotations

import re

ANSWERS = (
    r"answers?|ans\.?|antwort|endantwort|antwoord|eindantwoord|réponse|respuesta|resposta|risposta|ответ|svar|odpowiedź|cevap|"
    r"yanıt|答案|答え|答|回答|答复|解答|正解|정답|대답|답변|답|الجواب|الإجابة|उत्तर"
)
"""Nouns that name an answer itself: a value outside the contract on their line is malformed."""
_ENGLISH = (
    r"result|verdict|decision|conclusion|outcome|ruling|judge?ment|holding|label|classification|determination|solution|"
    r"response|finding"
)
_FOREIGN = (
    r"ergebnis|endergebnis|urteil|entscheidung|lösung|fazit|schlussfolgerung|resultaat|uitkomst|résultat|décision|"
    r"resultado|veredicto|veredito|decisión|decisão|conclusión|conclusão|solución|risultato|verdetto|decisione|conclusione|"
    r"вердикт|решение|результат|вывод|итог|заключение|"
    r"结论|结果|判决|裁定|判定|裁决|結論|結果|判断|결론|결과|판정"
)
NOUN = rf"{ANSWERS}|{_ENGLISH}|{_FOREIGN}"
_FIRST = (
    r"final|correct|overall|short|right|best|resulting|ultimate|endgültige[rs]?|finale[rs]?|korrekte|richtige|abschließende|"
    r"definitieve|juiste|definitiva|definitivo|correcta|correta|corretta|окончательный|итоговый|правильный|верный|"
    r"最终|最后|正确|最終(?:的な)?|最終の|正しい|최종|الصحيح|النهائي"
)
_LAST = (
    r"final|finale|définitive|correcte|definitiva|definitivo|correcta|correta|corretta|النهائية|النهائي|is as follows"
)
LEADING = (
    r"so|thus|therefore|hence|and|my|the|our|ok|okay|finally|here is|here's|in conclusion|in summary|"
    r"to conclude|overall|now|"
    r"die|das|der|meine|unsere|also|daher|somit|la|le|l'|ma|mi|el|il|o|a|minha|mia|donc|alors|por lo tanto|"
    r"así que|entonces|"
    r"portanto|então|quindi|perciò|dunque|итак|мой|значит|следовательно|所以|因此|故|综上|よって|したがって|따라서|het|de|mijn"
)
ARROWS = r"→⇒➜➔➙➝➞➤➡▸▶►▹▻⟶⟹⇨"
SEPARATOR = (
    rf"(?:[:=|]|->|=>|[{ARROWS}]|—|-(?=\s)|\b(?:is|are|ist|lautet|est|es|é|è)\b(?:\s{{0,3}}[:=])?|是|为|為|は|은|는)"
)
_ASIDE = r"(?:\s{0,3}\([^()]{0,40}\))?"
CUE = re.compile(
    rf"(?:(?:{LEADING}),?\s{{0,3}}){{0,4}}"
    rf"(?P<cue>(?:(?:{_FIRST})\s{{0,3}}){{1,2}}(?:{NOUN})|(?:{NOUN})(?:\s{{1,3}}(?:{_LAST}))?|final)(?![\w'])"
    rf"{_ASIDE}[\"'_*\])]{{0,3}}\s{{0,9}}(?P<sign>{SEPARATOR}|\Z)",
    re.IGNORECASE,
)
"""At the start of a sentence: a cue and its separator, or a cue alone on its line."""
CJK_CUE = re.compile(rf"(?P<cue>(?:{_FIRST})?(?:{NOUN}))\s{{0,3}}(?P<sign>[:=]|是|为|為|は|은|는|\Z)", re.IGNORECASE)
BRACKETED = re.compile(
    rf"[\[(<{{]{{1,2}}\s?(?P<cue>(?:(?:{_FIRST})\s{{0,3}})?(?:{NOUN}))\s?[\])>}}]{{1,2}}\s?[:：]?\s?(?=\S)",
    re.IGNORECASE,
)
"""A cue in brackets of its own: [Answer] X."""
BOLD = re.compile(
    rf"(?P<mark>\*\*|__)\s?(?P<cue>(?:(?:{_FIRST})\s{{0,3}})?(?:{NOUN}))\s?(?P=mark)(?=[ \t]{{1,3}}[^\s:=|\-(])",
    re.IGNORECASE,
)
"""A cue in bold without a separator: **Answer** X."""
STATED = re.compile(
    rf"\b(?:(?:final|correct|right)\s)?(?:answer|{_ENGLISH})\s"
    r"(?:is|was|would be|must be|should be|will be|remains)\b(?:\s(?:therefore|thus|hence|clearly|simply|then))?"
    r"|\bI\s(?:would\s|will\s|must\s|therefore\s)?(?:answer|choose|conclude|select|decide|pick|go with)\b(?:\sthat\b)?"
    r"|\bit\s(?:is|would be)\s(?:not\s(?:incorrect|wrong|inaccurate|false)|correct|right|fair|safe|accurate|"
    r"true)\sto\ssay\b"
    r"(?:\sthat\b)?"
    r"|(?:答案|结论|结果)(?:应该|应当|应)?(?:是|为)",
    re.IGNORECASE,
)
"""Within a sentence: what states the answer."""
BEFORE_STATED = re.compile(
    r"(?:(?:so|thus|therefore|hence|and|then|finally|that|this|which|means|it|follows|we|i|conclude|believe|think|find|say|"
    r"clear|is|now|again|ultimately|overall|in|conclusion|summary|sum|short|as|a|result|for|these|reasons|all|to|"
    r"consequently|accordingly|the|my|our|best|only|final|correct|actually|hmm|but|given|ok|okay|well|wait|no|hold|on)\b"
    r"[\s,:;—-]*)*\Z",
    re.IGNORECASE,
)
"""What may stand before it in its clause: nothing that doubts, denies or reports."""
CALL = re.compile(
    r"\s*(?:\w{1,30}_)?(?:final_?)?answer\(\s{0,3}(?:\w{1,20}\s?=\s?)?(?P<value>[^()\n]{0,80})\)", re.IGNORECASE
)
"""A call that hands the answer in: housing_answer(yes), final_answer("X")."""
