"""On the home screen of a phone: the manifest, and the icons that it names."""

import re
import struct

from flask.testing import FlaskClient

from tests import icons

PREFIX = "/cards"
"""A part of an address below which a proxy may serve the app."""


def test_every_page_names_the_manifest_and_an_icon(client: FlaskClient) -> None:
    page = client.get("/").text

    manifest = re.search(r'<link rel="manifest" href="([^"]+)"', page)
    icon = re.search(r'<link rel="apple-touch-icon" href="([^"]+)"', page)

    assert manifest
    assert icon
    assert client.get(manifest[1]).mimetype == "application/manifest+json"
    assert client.get(icon[1]).mimetype == "image/png"


def test_the_manifest_opens_the_app_as_one_of_its_own(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest").get_json()

    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert client.get(manifest["start_url"]).status_code == 200


def test_icons_are_as_large_as_the_manifest_says(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest").get_json()

    for icon in manifest["icons"]:
        answer = client.get(icon["src"])
        assert answer.mimetype == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.data[16:24])
            assert icon["sizes"] == f"{width}x{height}"


def test_a_phone_can_cut_its_own_shape_out_of_one_icon(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest").get_json()

    assert [icon.get("purpose") for icon in manifest["icons"]].count("maskable") == 1


def test_shortcuts_lead_somewhere(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest").get_json()

    assert [client.get(each["url"]).status_code for each in manifest["shortcuts"]] == [200, 200]


def test_the_manifest_keeps_to_the_part_of_an_address_that_is_ours(client: FlaskClient) -> None:
    manifest = client.get("/manifest.webmanifest", base_url=f"http://localhost{PREFIX}").get_json()

    addresses = [manifest["start_url"], *(icon["src"] for icon in manifest["icons"])]
    assert all(address.startswith(f"{PREFIX}/") for address in addresses)


def test_icons_are_drawn_from_ours() -> None:
    for name, content in icons.drawn():
        assert (icons.STATIC / name).read_bytes() == content
