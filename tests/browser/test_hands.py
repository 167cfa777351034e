"""Each phone saves its own hand of a round: what the others see of it, and who is asked what."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import PhoneMaker
from tests.browser.phone import PATIENCE, Counting, Pad, Phone, start_game

NAMES = ("Ana", "Ben", "Cleo")
LOST = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "Failed to load resource")


def three(
    new_phone: PhoneMaker, variant: str = "Mexican Rummy", names: tuple[str, ...] = NAMES
) -> tuple[str, list[Phone]]:
    """Start a game, and open its pad on three phones that know whose they are."""
    phones = [new_phone(name.lower()) for name in NAMES]
    game = start_game(phones[0], names, variant)
    for phone, name in zip(phones, NAMES, strict=True):
        phone.tolerated = LOST
        phone.open(f"{game}/who")
        phone.press(name)
        expect(phone.page.locator("#board")).to_be_visible()
        phone.taps = 0
    return game, phones


def field(phone: Phone, name: str, kind: str = "left") -> str:
    """The field of a hand, as it stands on a phone."""
    return Counting(phone).hand(name).locator(f"[name^='{kind}']").input_value()


def save_only(phone: Phone, names: str) -> None:
    """Tap the button that saves some hands, and see the pad."""
    expect(phone.page.locator("#part")).to_have_text(f"Save only {names}")
    phone.tap("#part")
    expect(phone.page.locator("#board")).to_be_visible()


def test_the_own_row_is_first_once_a_seat_is_chosen_without_loading_the_count(
    new_phone: PhoneMaker,
) -> None:
    phones = [new_phone("ana"), new_phone("cleo")]
    game = start_game(phones[0], NAMES)
    for phone, name in zip(phones, ("Ana", "Cleo"), strict=True):
        phone.open(game)
        phone.tap("#more-button")
        phone.tap("#whose")
        phone.press(name)
        expect(phone.page.locator("#board")).to_be_visible()
        Pad(phone).count(1)
        own = phone.page.locator(".hand").first
        expect(own.locator(".nm").first).to_have_text(name)
        expect(own.locator(".tag")).to_have_text("you")
        expect(own.locator("[data-here]")).to_be_visible()
        # The pad’s page carried it here: only the address is another.
        assert phone.page.locator("#board").count() == 1


def test_each_phone_saves_its_own_hand_in_few_taps(new_phone: PhoneMaker) -> None:
    _, phones = three(new_phone)
    ana, ben, cleo = phones
    for phone in phones:
        Pad(phone).count(1)
    Counting(ben, thumb=True).type("45")
    expect(ben.page.locator("#part")).to_have_class("go")
    expect(ben.page.locator("#tell")).to_have_text("Still need Ana, Cleo")
    ben.shoot("save-only-ben")
    save_only(ben, "Ben")
    expect(Pad(ben).cell(1, "Ben")).to_contain_text("45")
    expect(ben.page.locator(".done")).to_contain_text("Ben is in. 2 players to go.")
    ben.shoot("ben-is-in")

    expect(Counting(ana).hand("Ben").locator("[name^='left']")).to_have_value(
        "45", timeout=PATIENCE
    )
    Counting(ana).out("Ana")
    save_only(ana, "Ana")
    expect(ana.page.locator(".done")).to_contain_text("Ana and Ben are in. 1 player to go.")

    expect(cleo.page.locator("#tell")).to_have_text("Still need Cleo", timeout=PATIENCE)
    Counting(cleo, thumb=True).type("60")
    expect(cleo.page.locator("#part")).to_be_hidden()
    Counting(cleo).save()
    for phone in phones:
        Pad(phone).shows({"Ana": 0, "Ben": 45, "Cleo": 60})
        expect(phone.page.locator("#count-round")).to_have_text("Score round 2")
    assert sum(phone.taps for phone in phones) <= 13


def test_one_phone_saves_two_hands_and_their_owner_corrects_one(new_phone: PhoneMaker) -> None:
    _, (ana, ben, cleo) = three(new_phone)
    Pad(ana).count(1)
    Counting(ana).out("Ana")
    Counting(ana).write("Ben", "45")
    expect(ana.page.locator("#part")).to_have_class("tonal")
    save_only(ana, "Ana, Ben")

    expect(Pad(ben).cell(1, "Ben")).to_contain_text("45", timeout=PATIENCE)
    ben.tap(Pad(ben).cell(1, "Ben").locator("a"))
    Counting(ben).write("Ben", "55")
    Counting(ben).save()
    expect(Pad(ben).cell(1, "Ben")).to_contain_text("55")
    Pad(cleo).count(1)
    Counting(cleo).write("Cleo", "60")
    Counting(cleo).save()
    Pad(ana).shows({"Ana": 0, "Ben": 55, "Cleo": 60})


def test_a_round_of_several_phones_is_undone_and_redone_as_one(new_phone: PhoneMaker) -> None:
    _, (ana, ben, cleo) = three(new_phone)
    for phone, name, left in ((ana, "Ana", ""), (ben, "Ben", "45"), (cleo, "Cleo", "60")):
        Pad(phone).count(1)
        if left:
            Counting(phone).write(name, left)
        else:
            Counting(phone).out(name)
        if name == "Cleo":
            expect(phone.page.locator("#tell")).to_contain_text("Ready", timeout=PATIENCE)
            Counting(phone).save()
        else:
            save_only(phone, name)
    Pad(ben).shows({"Cleo": 60})
    Pad(ben).count(2)
    Counting(ben).write("Ben", "30")
    cleo.press("Undo round 1")
    expect(cleo.page.locator(".done")).to_contain_text("Round 1 undone")
    for name in NAMES:
        expect(Pad(cleo).cell(1, name)).to_contain_text("no score yet")

    # The phone that types in the next round hears of it before it saves.
    expect(ben.page.locator("#tell")).to_have_text(
        "This round changed on another phone. Go to Scores.", timeout=PATIENCE
    )
    expect(ben.page.locator("#save")).to_have_attribute("aria-disabled", "true")
    expect(ben.page.locator("#part")).to_be_hidden()
    cleo.press("Redo round 1")
    Pad(cleo).shows({"Ana": 0, "Ben": 45, "Cleo": 60})


def test_of_two_numbers_for_one_hand_one_is_chosen(new_phone: PhoneMaker) -> None:
    _, (ana, ben, _) = three(new_phone)
    Pad(ana).count(1)
    Pad(ben).count(1)
    Counting(ana).write("Ana", "45")
    Counting(ben).write("Ana", "55")
    save_only(ben, "Ana")
    # It is said before Ana saves; what she typed stays.
    expect(ana.page.locator("#tell")).to_contain_text("Still need Ben, Cleo")
    ana.page.wait_for_timeout(3_000)
    assert field(ana, "Ana") == "45"
    ana.tap("#part")
    expect(ana.page.locator("#tell")).to_have_text("Two phones disagree. Tap the right score.")
    expect(ana.page.locator("#part")).to_be_hidden()
    ana.shoot("two-numbers")
    ana.tap(ana.page.get_by_role("radio", name="Ana 45, you"))
    save_only(ana, "Ana")
    expect(Pad(ben).cell(1, "Ana")).to_contain_text("45", timeout=PATIENCE)


def test_a_hand_saved_offline_is_kept_as_a_hand(new_phone: PhoneMaker) -> None:
    _, (ana, ben, _) = three(new_phone)
    Pad(ana).count(1)
    ana.go_offline()
    Counting(ana).write("Ana", "45")
    expect(ana.page.locator("#count .top p")).to_contain_text("Offline · Round 1")
    ana.tap("#part")
    expect(ana.page.locator("#board")).to_be_visible()
    line = ana.page.locator(".done")
    expect(line).to_contain_text("Offline. Ana’s hand is saved on this phone.")
    expect(Pad(ana).cell(1, "Ana")).to_contain_text("45unsent")
    expect(Pad(ana).cell(1, "Ben")).to_contain_text("no score yet")
    expect(ana.page.locator("#count-round")).to_have_text("Score round 1")
    ana.shoot("hand-kept")
    # Its number is there again when the round is opened.
    Pad(ana).count(1)
    expect(ana.page.locator("#count")).to_be_visible()
    assert field(ana, "Ana") == "45"
    ana.press("Scores")

    Pad(ben).count(1)
    Counting(ben).out("Ben")
    save_only(ben, "Ben")
    expect(Pad(ben).cell(1, "Ana")).to_contain_text("no score yet")
    ana.come_back()
    expect(Pad(ben).cell(1, "Ana")).to_contain_text("45", timeout=20_000)
    expect(ana.page.locator(".done")).to_contain_text("Ana and Ben are in", timeout=PATIENCE)
    expect(Pad(ana).cell(1, "Ana")).not_to_contain_text("unsent")


def test_in_just_points_a_phone_saves_its_own_score_and_nothing_for_others(
    new_phone: PhoneMaker,
) -> None:
    _, phones = three(new_phone, "Just points")
    for phone, name, points in zip(phones, NAMES, ("45", "30", "5"), strict=True):
        phone.tap("#count-round")
        Counting(phone).write(name, points)
        if name == "Cleo":
            expect(phone.page.locator("#part")).to_be_hidden(timeout=PATIENCE)
            Counting(phone).save()
            continue
        expect(phone.page.locator("#part")).to_have_class("go")
        save_only(phone, name)
        expect(Pad(phone).cell(1, "Cleo")).to_contain_text("no score yet")
    Pad(phones[0]).shows({"Ana": 45, "Ben": 30, "Cleo": 5})


def test_a_team_saves_its_own_line(new_phone: PhoneMaker) -> None:
    _, (ana, ben, _) = three(new_phone, "Canasta", (*NAMES, "Dov"))

    def write(phone: Phone, team: int, melded: str, left: str) -> None:
        for kind, text in (("table", melded), ("left", left)):
            phone.page.locator(f"td[data-t='{team}'] [name^='{kind}']").fill(text)

    for phone in (ana, ben):
        phone.press("Score round 1")
    write(ana, 0, "500", "45")
    expect(ana.page.locator("#part")).to_have_class("go")
    save_only(ana, "Ana and Cleo")
    expect(ana.page.locator(".done")).to_contain_text("Ana and Cleo are in. 1 team to go.")

    theirs = ben.page.locator("td[data-t='0'] [name^='left']")
    expect(theirs).to_have_value("45", timeout=PATIENCE)
    ben.page.locator("td[data-t='1'] [name='out']").first.check(force=True)
    write(ben, 1, "300", "20")
    ben.tap("#save")
    # Whether they had the canastas to go out is asked of the phone that completes the round.
    expect(ben.page.locator("#asks h2")).to_contain_text("went out?")
    ben.tap("#sure")
    expect(ben.page.locator("#count-round")).to_have_text("Score round 2")


def test_a_count_hears_the_others_also_after_a_reload(new_phone: PhoneMaker) -> None:
    game, (ana, ben, cleo) = three(new_phone)
    Pad(cleo).count(1)
    Counting(cleo).write("Cleo", "60")
    cleo.page.reload()
    expect(cleo.page.locator("#count")).to_be_visible()
    assert field(cleo, "Cleo") == "60"
    Pad(ben).count(1)
    Counting(ben).write("Ben", "45")
    save_only(ben, "Ben")
    expect(Counting(cleo).hand("Ben").locator("[name^='left']")).to_have_value(
        "45", timeout=PATIENCE
    )
    cleo.page.reload()
    assert field(cleo, "Cleo") == "60"

    ana.tap("#more-button")
    ana.tap("#end")
    expect(ana.page.locator("#more")).to_contain_text("Ana and Cleo")
    ana.tap("#endings")
    expect(cleo.page.locator("#tell")).to_have_text(
        "The game is finished. See the result", timeout=PATIENCE
    )
    assert game in cleo.page.url


def test_any_phone_completes_a_round_for_a_phone_that_is_dead(new_phone: PhoneMaker) -> None:
    _, (ana, ben, cleo) = three(new_phone)
    Pad(ben).count(1)
    Counting(ben).write("Ben", "45")
    save_only(ben, "Ben")
    cleo.page.goto("about:blank")

    expect(ana.page.locator(".done")).to_contain_text("Ben is in", timeout=PATIENCE)
    Pad(ana).count(1)
    Counting(ana).out("Ana")
    Counting(ana).write("Cleo", "60")
    Counting(ana).save()
    Pad(ben).shows({"Ana": 0, "Ben": 45, "Cleo": 60})


def test_a_doubt_is_asked_of_the_phone_that_saves_the_hand_and_of_no_other(
    new_phone: PhoneMaker,
) -> None:
    _, (ana, ben, cleo) = three(new_phone)
    Pad(ben).count(1)
    Counting(ben).write("Ben", "650")
    ben.tap("#part")
    expect(ben.page.locator("#asks h2")).to_have_text("Ben has 650 in hand?")
    ben.tap("#sure")
    expect(ben.page.locator(".done")).to_contain_text("Ben is in. 2 players to go.")

    Pad(ana).count(1)
    Counting(ana).out("Ana")
    save_only(ana, "Ana")
    expect(cleo.page.locator(".done")).to_contain_text("Ana and Ben are in", timeout=PATIENCE)
    Pad(cleo).count(1)
    Counting(cleo).write("Cleo", "60")
    Counting(cleo).save()
    Pad(ana).shows({"Ana": 0, "Ben": 650, "Cleo": 60})


def test_two_players_out_are_asked_about_when_the_round_is_complete(new_phone: PhoneMaker) -> None:
    _, (ana, ben, cleo) = three(new_phone)
    for phone in (ana, ben):
        Pad(phone).count(1)
    for phone, name in ((ana, "Ana"), (ben, "Ben")):
        Counting(phone).out(name)
        save_only(phone, name)
    expect(cleo.page.locator(".done")).to_contain_text("Ana and Ben are in", timeout=PATIENCE)
    Pad(cleo).count(1)
    Counting(cleo).write("Cleo", "60")
    cleo.tap("#save")
    asks = cleo.page.locator("#asks")
    expect(asks).to_contain_text("Only one player can go out")
    cleo.shoot("two-out")
    # There is a way to each of their boxes.
    expect(asks.locator(".asks button")).to_have_count(2)
    cleo.tap(asks.locator(".asks button").nth(1))
    expect(asks).to_be_hidden()
    Counting(cleo).out("Ben")
    Counting(cleo).write("Ben", "20")
    cleo.tap("#save")
    Pad(ana).shows({"Ana": 0, "Ben": 20, "Cleo": 60})


def test_the_row_that_is_typed_in_keeps_its_place(new_phone: PhoneMaker) -> None:
    phones = [new_phone("one"), new_phone("two")]
    names = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fritz", "Gert", "Hal")
    game = start_game(phones[0], names)
    phones[1].open(game)
    for phone in phones:
        Pad(phone).count(1)
    one, two = phones
    Counting(two).write("Gert", "3")
    row = Counting(two).hand("Gert")
    before = row.bounding_box()
    Counting(one).write("Ana", "45")
    save_only(one, "Ana")
    expect(Counting(two).hand("Ana").locator("[name^='left']")).to_have_value(
        "45", timeout=PATIENCE
    )
    after = row.bounding_box()
    assert before
    assert after
    assert before["y"] == after["y"]
    assert re.fullmatch("3", field(two, "Gert"))
