"""Sharing a game with another phone."""

from flask import Blueprint, render_template, request, url_for

from webapp.network.names import phones_reach
from webapp.pages.share.view import read_share
from webapp.web.database import get_config, get_database
from webapp.web.house import current_house

bp = Blueprint("share", __name__, url_prefix="/g/<pub:pub>/share")


@bp.get("")
def show(pub: str) -> str:
    """Show the game's address as a QR code for another phone."""
    at = phones_reach(get_config(), request.host_url, request.script_root)
    house = current_house()
    # A house lets in whoever has its link of this evening.
    way = (
        f"{url_for('door.arrive', game=pub)}#{house.door.evening_secret()}"
        if house
        else url_for("seats.who", pub=pub)
    )
    link = at and f"{at}{way.removeprefix(request.script_root)}"
    return render_template("share/show.html", share=get_database().read(read_share, pub, link))
