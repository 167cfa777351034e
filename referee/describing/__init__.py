"""Games as data: a description is checked as a whole, and a game is built from it.

A description is a table of named fields (`referee.describing.schema`): in TOML for the games that
come with the referee, in JSON if it is stored or sent. Its house rules are patches of it by path,
so each combination of house rules is a description like any other. The clauses of the rulebook are
the prose of the description, or sentences generated from its fields where it has none.

>>> from referee import variants
>>> from referee.describing import build, changed
>>> spec = changed(variants.description_of("gin-rummy"), {"run.min": 4})
>>> build(spec).rulebook.cited("run").says
'A run is 4 or more cards of the same suit in a row.'
"""

from referee.describing.building import build as build
from referee.describing.building import rebuilt as rebuilt
from referee.describing.canonical import canonical as canonical
from referee.describing.canonical import full_form as full_form
from referee.describing.canonical import rules_hash as rules_hash
from referee.describing.changing import Patch as Patch
from referee.describing.changing import brought as brought
from referee.describing.changing import changed as changed
from referee.describing.changing import problems as problems
from referee.describing.changing import rests_on as rests_on
from referee.describing.changing import silent as silent
from referee.describing.changing import start_of as start_of
from referee.describing.checking import check as check
from referee.describing.checking import check_rules as check_rules
from referee.describing.checking import is_step as is_step
from referee.describing.checking.unruled import may_be_ruled as may_be_ruled
from referee.describing.complaints import Complaint as Complaint
from referee.describing.complaints import Refused as Refused
from referee.describing.complaints import complaint as complaint
from referee.describing.description import VALUES as VALUES
from referee.describing.description import Description as Description
from referee.describing.options import values_of as values_of
from referee.describing.packs import GAMES as GAMES
from referee.describing.packs import JOKER as JOKER
from referee.describing.packs import MOVING as MOVING
from referee.describing.packs import face as face
from referee.describing.packs import kinds_of_packs as kinds_of_packs
from referee.describing.patch import PATHS as PATHS
from referee.describing.patch import PLAYERS as PLAYERS
from referee.describing.patch import field_path as field_path
from referee.describing.patch import patch_of as patch_of
from referee.describing.patch import patched as patched
from referee.describing.patch import value_at as value_at
from referee.describing.schema import BARE as BARE
from referee.describing.schema import BY_PATH as BY_PATH
from referee.describing.schema import ENDS as ENDS
from referee.describing.schema import OF_SECTION as OF_SECTION
from referee.describing.schema import SCHEMA as SCHEMA
from referee.describing.schema import SECTIONS as SECTIONS
from referee.describing.schema import STEPS as STEPS
from referee.describing.schema import UNCHECKED as UNCHECKED
from referee.describing.schema import WAYS as WAYS
from referee.describing.schema import kinds as kinds
from referee.describing.schema.fields import Field as Field
from referee.describing.sentences import label as label
from referee.describing.sentences import matters as matters
from referee.describing.sentences import named as named
from referee.describing.sentences import sentence_of as sentence_of
from referee.describing.sentences import sentence_of_table as sentence_of_table
from referee.describing.sentences import sentences_of as sentences_of
from referee.describing.sentences.book import book_with as book_with
from referee.describing.sentences.clauses import INSTEAD as INSTEAD
from referee.describing.sentences.clauses import chapters_of as chapters_of
from referee.describing.sentences.clauses import section_of as section_of
from referee.describing.sentences.glance import LINES as LINES
from referee.describing.sentences.glance import Line as Line
from referee.describing.sentences.glance import glance as glance
from referee.describing.sentences.words import Values as Values
from referee.describing.sentences.words import bonus_noun as bonus_noun
from referee.describing.sentences.words import nouns_of as nouns_of
from referee.describing.sentences.words import say as say
from referee.describing.trial import try_house_rules as try_house_rules
from referee.describing.upgrade import upgraded as upgraded
from referee.options import CHANGE as CHANGE
