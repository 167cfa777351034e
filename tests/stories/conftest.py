"""Stories are told on the same application and the same phones as the tests of its parts."""

from tests.webapp.conftest import (
    app,
    clean_url,
    client,
    one_app,
    one_database,
    phone,
    shared_postgres,
    shared_sqlite,
)

__all__ = [
    "app",
    "clean_url",
    "client",
    "one_app",
    "one_database",
    "phone",
    "shared_postgres",
    "shared_sqlite",
]
