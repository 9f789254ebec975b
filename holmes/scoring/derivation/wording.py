"""The words by which traces speak of steps: what they say of a rule or a concept, and what they only suppose.

A word outside these lists commits to nothing. Codes: an axis and a sign. T triggered, A applies, M met (a condition:
triggered for a policy), H holds or exists (a concept), P passes, W waived, L left standing; D defeats (verb between two
rules), U is defeated (its reverse), R triggers (verb before a rule), O denies what follows it, S is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

_TABLE = """
T+ triggered|trigger|fires|fire|fired|activated|engaged|kicks in|kick in|kicked in|comes into play|come into play
T+ comes up|in play|arises|arise|arose|raised|switched on|turned on|is live|prima facie|provisionally|bites|bite|awake
T+ active|set off|invoked|comes in|is on|are on|raises its head|on the table|called into play|attaches|attach
T+ brought into play|met and triggered
T- untriggered|dormant|idle|inactive|silent|inert|sleeps|asleep|stays out|stay out|moot|unengaged|no trigger
T- not in play|out of the question|off|never arises|does not come into play|without a trigger|has nothing to act on
T- has nothing to bite on|never fires|unraised
A+ protects|protect|helps|help|avails|avail|saves|shields|works|open to|available|be relied on|applies|apply
A+ applied|applicable|stands|stand|survives|survive|survived|prevails|prevail|in force|takes effect|take effect
A+ operative|governs|govern|controls|control|left standing|intact|undefeated|unscathed|unaffected|untouched|decisive
A+ carries the day|stands firm|remains|remain|remained|remains standing|is left|are left|left|stays|stay|has effect
A+ have effect|takes hold|unopposed|still standing|standing|survivors|survivor|remaining|what remains|what is left
A+ remainder|alive|what stands|leaves|leaving|left with|undisturbed|effective|good|keeps its force|keeps its effect
A+ undisplaced|upheld|unbeaten|operates|operate|only one left
A- inapplicable|falls away|fall away|fell away|fallen away|falls|fall|fell|fallen|drops out|drop out|drops away
A- dropped|out|void|lapses|lapse|lapsed|lost|no effect|without effect|ineffective|undone|gone|goes|dead|unavailable
A- not available|no longer available|disabled|switched off|turned off|out of play|out of action|gives no shelter
A- give no shelter|no shelter|of no use|of no avail|no help|gives way|give way|gave way|loses out|lose out|steps aside
A- steps back|drops|loses its force|loses its effect|loses force|loses effect|does not survive|barren|closed|powerless
A- stripped of effect|nullified|no protection|is no use|lifted away|no force|stands down|stand down|shut
A- excluded from applying|neutered|cut off|no bearing
U+ defeated|displaced|set aside|overridden|overruled|knocked out|barred|suspended|disapplied|neutralised|neutralized
U+ blocked|cancelled|canceled|lifted|removed|taken out|ousted|eliminated|precluded|eclipsed|superseded|trumped|beaten
U+ outranked|pushed aside|put aside|overcome|outweighed|rebutted|dislodged|struck out|struck down|disarmed|thrown out
U+ taken away|disposed of|switched off|voided|killed|undercut|negated|excluded|annulled|revoked|outdone|bested
U+ overturned|vanquished|discharged|quashed|sidelined|swept aside|swept away|ruled out|shut out|stopped|checkmated
U+ undermined|preempted|pre-empted|crowded out|subordinated
D+ excepts|exempts|frees|releases|excepted|defeats|defeat|beats|beat|overrides|override|overrode|overrules|overrule
D+ displaces|displace|supersedes|supersede|trumps|trump|outranks|outrank|bars|bar|blocks|block|cancels|cancel|lifts
D+ lift|removes|remove|excludes|exclude|suspends|suspend|disapplies|disapply|neutralises|neutralizes|neutralise
D+ knocks out|knock out|takes out|take out|sets aside|set aside|prevails over|prevail over|wins over|win over
D+ wins against|takes precedence over|has precedence over|takes priority over|has priority over|ousts|oust|eliminates
D+ eliminate|negates|negate|kills|kill|rules out|rule out|pushes aside|undercuts|rebuts|voids|void out|switches off
D+ switch off|dislodges|takes away|is an exception to|makes an exception to|prevails against|prevail against|nullifies
D+ annuls|outweighs|outweigh|overcomes|overcome|dominates|dominate|strikes down|strikes out|shuts out|stops
D+ knocks down|wipes out|quashes|goes before|comes before|ranks above|rank above|is stronger than|are stronger than
D+ disarms|strips|throws out|preempts|pre-empts|disposes of|dispose of|knocks away|sweeps aside|sweeps away
D+ brings down|overturns|discharges|undoes|topples|precludes
D- yields to|yield to|gives way to|give way to|loses to|lose to|loses out to|ranks below|rank below|bows to|cedes to
D- loses against|is weaker than|are weaker than|steps back for|makes room for|falls to|fall to|fell to|succumbs to
D- is subject to|lost to|losing to|dropped by|is no match for|retreats before|comes after|stands back behind|defers to
D- surrenders to
R+ triggers|triggering|activates|engages|sets off|brings in|brings into play|calls up|calls into play|raises|fires
R+ switches on|wakes|trigger|activate|engage|satisfy|meet|fulfil|fulfill|meets|satisfies|fulfils|fulfills|trips
R+ turns on|sets in motion
E+ rely on|relies on|relying on|benefit from|benefits from|profit from|profits from|fall back on|falls back on|invoke
E+ invokes|take shelter under|be helped by|is helped by|is protected by|is saved by|protected by|call on|calls on
E+ appeal to|appeals to
E- forfeits|forfeit|loses the benefit of|deprived of|denied the benefit of|cut off from|excluded from|barred from
E- loses the shelter of
B- breaks|break|violates|violate|infringes|infringe|offends against|offends|breaches|contravenes
M+ met|satisfied|fulfilled|made out|conditions hold|condition holds|condition is true|conditions are true
M- unmet|unsatisfied|unfulfilled
H+ taken place|the case|holds|hold|held|exists|exist|existed|present|established|given|occurs|occurred|occur
H+ granted|confirmed|proven|shown
H+ made good|was there|were there|has come|had come|have come|has begun|had begun|set in|made|be assumed|been made
H+ has been made|have been made|recognised|affirmed|be found|made out|proved|obtains|obtain|follows|follow|results
H+ secured|certain|in place|undisputed|evident|clear|is the case|takes place|took place|has been committed
H+ was committed|counts|comes about|came about|complete|completed|undeniable|stands proven|kept up|beyond doubt
H- out of the question|absent|missing|lacking|unproven|unestablished|off the table|wanting|nowhere to be found
H- cannot be found|does not arise|not on record|nonexistent|non-existent|untrue|negative|impossible|ruled out|excluded
H- negated|precluded|defeated|fails|fail|failed|falls|falls away|collapses|drops out|drops away|falls flat
H- falls through|denied|rejected|disproved|undone|dismissed
P+ passes|pass|passed|complied with|cleared|in order|fine|all right|compliant|ok|okay|clears|complies|is kept
P+ is observed|respected
P- fails|fail|failed|violated|breached|broken|not passed|infringed|flunks|non-compliant|noncompliant|is not kept
W+ waived|excused|dispensed with|exempted|waives it|waived anyway|waive|exempt|forgiven|not needed|not required
W+ dispensable|spared
W- unwaived|no waiver
S+ the one to follow|to be followed|followed|chosen|selected|picked|relevant|pertinent|the right one|is to be used
S+ is used
V+ yes|true|affirmative|correct|right
V- no|false|negative
O- lacks|lack|lacking|rules out|rule out|ruling out|excludes|exclude|precludes|preclude|absence of|lack of
O- falls short of|fall short of|stops short of|short of|stop short of|fails to amount to|fails to be|without|misses
O- far from|nothing like|anything but|less than|defeats|prevents|prevent|kills|negates|escapes|avoids|removes|remove
O- takes away
"""

LINKS = """
is|are|was|were|be|been|being|becomes|became|become|makes for|make for|makes|make|made|constitutes|constitute
amounts to|amount to|amounted to|counts as|counted as|count as|qualifies as|qualify as|means|gives|give|creates|create
creating|yields|yield|results in|result in|leads to|leads us to|lead to|produces|produce|establishes|establish
establishing|forms|form|has|have|had|commits|committed|there exists|we have|we get|gives rise to|give rise to|shows
found|turns into|ripens into|grows into|sets up|spells|finds|making|making it|makes it|make it|stands as|stand as
guilty of|is guilty of|was there|were there|is there|into|show|showing|reveals|reveal|suffers|causes|caused|is an
treated as|regarded as|classed as|rises to|rise to|adds up to|add up to|comes to|come to|brings about|ends in
falls under|a case of|case of|so we have|meets the definition of|satisfies the definition of|must be|remains|stays
turns out to be|evidences|reaches|completes|complete|proves|prove|confirms|supplies|furnishes|triggers|assumed|assume
accept|see|name it|call it|satisfies|fulfils|fulfills|meets|engages|signals|marks|is called|deemed|considered
held to be|entails|entail|imposes|brings|bring|carries|calls for|orders|proclaims|draws|attracts|giving|giving rise to
yielding|constituting|amounting to|counting as|becoming
"""

_NEGATORS = "not|no|never|neither|nor|none|nobody|nothing|nowhere|hardly|scarcely|no longer|by no means|in no way|¬|!|"
_NEGATORS += "no such|not yet|at no point|under no circumstances|any no|nor any|nor is there|neither of|none of|no real"
_HYPOTHESES = (
    "if|unless|whether|could|might|may|suppose|supposing|assuming|in case|provided|whoever|whenever|anyone|"
    "anybody|everyone who|should there|as soon as|only where|only when|only if|requires|require|required for|needs|"
    "need|asks|ask|must|shall|covers|cover|concerns|would have|would seem|would appear|seem to|"
    "seems to|had it|were it|were there|when|every|each|one who|"
    "potentially|possibly|perhaps|maybe|presumably not|candidate|candidates|consider|check|checking|next|turning to|"
    "wherever|in the event of|on condition that|question|asking|test whether|depends|depends on|"
    "need to|to check|could be|"
    "at first sight|at first glance|looks like|tempting|one might|allegedly|"
    "claims|alleges|argues|argued|argue|normally|ordinarily|generally|usually|in general|otherwise|until|"
    "says that|provides that|states that|defines|definition of|threatens|thought|expected"
)
_GROUNDS = (
    "because|since|as|given that|given|although|though|even though|while|whereas|owing to|due to|"
    "because of|for want of|"
)
_GROUNDS += "despite|in spite of|thanks to|on account of|seeing that|considering that|in view of|in light of|where"
_RESULTS = (
    "so|hence|thus|therefore|consequently|accordingly|which means|meaning|so that|and so|as a result|it follows that|"
    "it follows|which means that|meaning that|thereby|whence|ergo|making|then|so there|this means|"
    "that means|and thus|"
    "and hence|and therefore|in consequence|i.e|that is|in other words|which makes|which makes for|"
    "which gives|giving|conclude|"
    "concluding|conclude that|i conclude that|we conclude that|in sum|this makes|overall|in effect|namely|result"
)
_TURNS = (
    "but|yet|however|nevertheless|nonetheless|still|besides|except that|on the other hand|only|instead|"
    "wait|actually|no wait"
)
_JOINS = "and|or|plus|as well as|together with|&|∧|∨"
_FILLERS = (
    "a|an|the|this|that|any|such|real|of|it|its|their|his|her|these|those|in|to|too|again|indeed|"
    "clearly|also|already|"
    "thereby|even|just|simply|plainly|merely|then|now|here|there|all|itself|themselves|himself|"
    "herself|at|by|we|i|one|"
    "some|condition|concept|definition|finding|element|both|fact|case|here|either|single|is|does|do|"
    "did|has|have|been|"
    "conditions|requirements|requirement|prerequisites|prerequisite|elements|test|"
    "trigger conditions|can|will|rule's|rules|rule|own|therefore|thus|likewise|equally|completely|"
    "fully|entirely|altogether|otherwise|thing|finally"
)
_IDIOMS = (
    "no surprise that|no surprise|no doubt that|no doubt|no question that|no question|not in doubt|not in dispute|"
    "no denying that|beyond doubt that|nothing but|not only|no wonder|without doubt|without question|no less than"
)
_PRONOUNS = (
    "it|they|this|which|whose|this rule|that rule|this exception|that exception|the exception|the former|"
    "them|this one|that one"
)
_CHINESE = (
    ("T+", "触发|被触发|启动|激活"), ("A+", "适用|仍适用|有效|保留|优先"), ("U+", "排除|推翻|阻却|击败|排除适用|取代"),
    ("M+", "满足|符合|具备"), ("H+", "成立|存在|构成|属于|处于|是|有"), ("P+", "通过|合格"), ("P-", "违反|失败"),
    ("W+", "豁免|免除"), ("A-", "失效|无效"), ("N", "不|未|没有|没|无|非|并非|不再|不能|无法"),
    ("Q", "因此|所以|故|从而|于是"), ("G", "因为|由于|因"), ("B", "但|但是|然而"), ("BY", "被"),
    ("D", "根据|依据|按照|依照|由"), ("H?", "如果|若|是否|可能"),
)  # fmt: skip

Phrase = tuple[str, ...]


def _rows() -> Iterator[tuple[str, str]]:
    for line in _TABLE.strip().splitlines():
        code, _, texts = line.partition(" ")
        yield from ((code, text) for text in texts.split("|"))
    yield from (("V", text) for text in LINKS.strip().replace("\n", "|").split("|"))
    for code, texts in (
        *(("N", _NEGATORS), ("?", _HYPOTHESES), ("G", _GROUNDS), ("Q", _RESULTS), ("B", _TURNS), ("&", _JOINS)),
        *(
            ("D", _FILLERS),
            ("D", _IDIOMS),
            ("I", _PRONOUNS),
            ("Y", "would|would then|would normally|would otherwise|would in itself"),
            (
                "BY",
                "by|under|in the sense of|within the meaning of|as defined by|as defined in|for the purposes of|"
                "according to|pursuant to|per|as per|following|applying|due to|because of|owing to|thanks to|"
                "through|at the hands of",
            ),
        ),
    ):
        yield from ((code, text) for text in texts.split("|") if text)
    for code, texts in _CHINESE:
        yield from ((code, " ".join(text)) for text in texts.split("|"))


_PARTED = frozenset({"aside", "out", "away", "off", "down"})


def lexicon() -> dict[Phrase, frozenset[str]]:
    """Return every phrase with its codes; a phrase may have several, for different kinds of subject."""
    found: dict[Phrase, frozenset[str]] = {}
    for code, text in _rows():
        phrase = tuple(text.split())
        found[phrase] = found.get(phrase, frozenset()) | {code}
        if code == "D+" and len(phrase) == 2 and phrase[1] in _PARTED:  # "sets it aside"
            for object_ in ("it", "them"):
                found[phrase[0], object_, phrase[1]] = frozenset({"D+", "I"})
    return found


PHRASES = lexicon()
LONGEST = max(map(len, PHRASES))
STARTS = frozenset(phrase[0] for phrase in PHRASES if len(phrase) > 1)
PAIRS: dict[tuple[str, ...], int] = {}
"""The longest phrase that begins with two words."""
for _phrase in PHRASES:
    if len(_phrase) > 1:
        PAIRS[_phrase[:2]] = max(PAIRS.get(_phrase[:2], 0), len(_phrase))
