import sqlite3

import sqlalchemy
from flask import request

TABLE = "people"


def by_name(cursor):
    name = request.args.get("name")
    # ruleid: parapet.python.sql-injection-request, parapet.python.sql-injection-format
    cursor.execute("select * from people where name = '%s'" % name)
    # ok: parapet.python.sql-injection-request, parapet.python.sql-injection-format
    cursor.execute("select * from people where name = ?", (name,))


def by_id(cursor):
    number = int(request.args["id"])
    # ok: parapet.python.sql-injection-request, parapet.python.sql-injection-format
    cursor.execute("select * from people where id = %d" % number)


def from_body(session):
    wish = request.get_json()
    order = wish["order"]
    # ruleid: parapet.python.sql-injection-request, parapet.python.sql-injection-format
    session.execute(sqlalchemy.text(f"select * from people order by {order}"))


def whole_statement(cursor):
    # ruleid: parapet.python.sql-injection-request
    cursor.executescript(request.form["sql"])


def django_view(request):
    # ruleid: parapet.python.sql-injection-request, parapet.python.sql-injection-format
    return Person.objects.raw("select * from people where name = '" + request.GET["name"] + "'")


def formatted(connection: sqlite3.Connection, name, ids):
    # ruleid: parapet.python.sql-injection-format
    connection.execute("delete from people where name = '{}'".format(name))
    # ruleid: parapet.python.sql-injection-format
    connection.execute(f"delete from people where name = '{name}'")
    statement = "update people set name = '%s'" % name
    # ruleid: parapet.python.sql-injection-format
    connection.execute(statement)
    # ok: parapet.python.sql-injection-format
    connection.execute(f"select count(*) from {TABLE}")
    # ok: parapet.python.sql-injection-format
    connection.execute("select * from people " + "where id = ?", (name,))
    # ok: parapet.python.sql-injection-format
    connection.executemany("delete from people where id = ?", ids)
    # ok: parapet.python.sql-injection-format
    executor.execute("hello " + name)
