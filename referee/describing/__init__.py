"""Games as data: a description is checked whole, and made into the value that everything rules by.

A description is a table of named fields (`referee.describing.schema`), in TOML where it is ours, in
JSON where it is kept or sent. Its house rules are patches of it by path, so that each combination
is a description like any other. The clauses of its rulebook are its own prose where it has some,
and told from its fields where it has none.

    text -> upgrade -> check -> patch -> tell -> build -> Variant
"""

from referee.describing.building import build as build
from referee.describing.building import rebuilt as rebuilt
from referee.describing.canonical import canonical as canonical
from referee.describing.canonical import full_form as full_form
from referee.describing.canonical import rules_hash as rules_hash
from referee.describing.checking import check as check
from referee.describing.complaints import Complaint as Complaint
from referee.describing.complaints import Refused as Refused
from referee.describing.packs import GAMES as GAMES
from referee.describing.patch import patched as patched
from referee.describing.telling import tell as tell
from referee.describing.trial import try_house_rules as try_house_rules
from referee.describing.upgrade import upgraded as upgraded
