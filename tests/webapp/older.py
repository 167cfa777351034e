"""Databases as they were before a migration."""

from alembic import command
from alembic.config import Config
from sqlalchemy import column, insert, inspect, select, table
from sqlmodel import SQLModel

from webapp.db import Database, make_engine
from webapp.migrations import HERE


def make_older(url: str, revision: str) -> None:
    """Make an empty database as it was at a revision."""
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.set_main_option("path_separator", "os")
    engine = make_engine(url, foreign_keys=False)
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def copy_rows(source: Database, url: str) -> None:
    """Copy what a database of today holds into one of before, as far as that has room for it."""
    engine = make_engine(url)
    known = inspect(engine)
    with source.engine.connect() as of, engine.execution_options(writes=True).begin() as into:
        for each in SQLModel.metadata.sorted_tables:
            if not known.has_table(each.name):
                continue
            there = {found["name"] for found in known.get_columns(each.name)}
            columns = [one for one in each.columns if one.name in there]
            rows = [dict(row) for row in of.execute(select(*columns)).mappings()]
            plain = table(each.name, *(column(one.name, one.type) for one in columns))
            if not rows:
                continue
            into.execute(insert(plain), rows)
            if engine.dialect.name == "postgresql" and "id" in there:
                # It numbers on by itself only after what it has numbered itself.
                last = f"SELECT setval(pg_get_serial_sequence('{each.name}', 'id'), max(id))"
                into.exec_driver_sql(f"{last} FROM {each.name}")
    engine.dispose()
