import os

import fastapi
import flask
import flask_cors
import jinja2
import sqlalchemy
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import FileResponse
from flask import Flask, request, send_file, send_from_directory
from flask_cors import CORS
from werkzeug.utils import secure_filename

app = Flask(__name__)
# ruleid: parapet.python.flask-hard-coded-secret-key
app.secret_key = "k3v0r4x9q2m7"
# ruleid: parapet.python.flask-hard-coded-secret-key
app.config["SECRET_KEY"] = "k3v0r4x9q2m7"
# ok: parapet.python.flask-hard-coded-secret-key
app.secret_key = os.environ["SECRET_KEY"]
# ok: parapet.python.flask-hard-coded-secret-key
app.config["SECRET_KEY"] = "change-me"
# ruleid: parapet.python.flask-cookie-not-secure
app.config["SESSION_COOKIE_SECURE"] = False
# ruleid: parapet.python.flask-cookie-not-secure
app.config.update(SESSION_COOKIE_HTTPONLY=False)
# ok: parapet.python.flask-cookie-not-secure
app.config["SESSION_COOKIE_SECURE"] = True
# ok: parapet.python.flask-cookie-not-secure
app.config.update(SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SECURE=True)
# ruleid: parapet.python.flask-csrf-off
app.config["WTF_CSRF_ENABLED"] = False
# ruleid: parapet.python.flask-csrf-off
form = LoginForm(meta={"csrf": False})
# ok: parapet.python.flask-csrf-off
app.config["WTF_CSRF_ENABLED"] = True
# ok: parapet.python.flask-csrf-off
form = LoginForm()
# ruleid: parapet.python.flask-template-autoescape-off
pages = jinja2.Environment(loader=loader, autoescape=False)
# ruleid: parapet.python.flask-template-autoescape-off
app.jinja_env.autoescape = False
# ok: parapet.python.flask-template-autoescape-off
pages = jinja2.Environment(loader=loader, autoescape=True)
# ok: parapet.python.flask-template-autoescape-off
pages = jinja2.Environment(loader=loader, autoescape=jinja2.select_autoescape())
# ruleid: parapet.python.flask-cors-any-origin-credentials
CORS(app, origins="*", supports_credentials=True)
# ruleid: parapet.python.flask-cors-any-origin-credentials
flask_cors.CORS(app, supports_credentials=True)
# ok: parapet.python.flask-cors-any-origin-credentials
CORS(app, origins=["https://example.com"], supports_credentials=True)
# ok: parapet.python.flask-cors-any-origin-credentials
CORS(app)


@app.route("/images/<path:name>")
def image(name):
    # ruleid: parapet.python.flask-send-file-path
    return send_file("images/" + name)


@app.route("/files/<path:name>")
def download_by_path(name):
    # ruleid: parapet.python.flask-send-file-path
    return send_file(os.path.join("files", name))


@app.route("/safe/<path:name>")
def download_safely(name):
    # ok: parapet.python.flask-send-file-path
    return send_from_directory("files", name)


@app.route("/secure/<path:name>")
def download_by_name(name):
    # ok: parapet.python.flask-send-file-path
    return send_file("files/" + secure_filename(name))


@app.after_request
def allow(response):
    # ruleid: parapet.python.flask-header-from-request
    response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin")
    origin = request.headers["Origin"]
    # ruleid: parapet.python.flask-header-from-request
    response.headers["Access-Control-Allow-Origin"] = origin
    # ok: parapet.python.flask-header-from-request
    response.headers["Access-Control-Allow-Origin"] = "https://example.com"
    # ok: parapet.python.flask-header-from-request
    response.headers["X-Origin"] = origin
    return response


api = FastAPI()
# ruleid: parapet.python.fastapi-cors-any-origin-credentials
api.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)
# ruleid: parapet.python.fastapi-cors-any-origin-credentials
api.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_credentials=True)
# ok: parapet.python.fastapi-cors-any-origin-credentials
api.add_middleware(CORSMiddleware, allow_origins=["https://example.com"], allow_credentials=True)
# ok: parapet.python.fastapi-cors-any-origin-credentials
api.add_middleware(CORSMiddleware, allow_origins=["*"])


@api.get("/items/{name}")
async def items(name: str, limit: int):
    # ruleid: parapet.python.fastapi-sql-injection-parameter
    await database.fetch(f"select * from item where name = '{name}'")
    # ok: parapet.python.fastapi-sql-injection-parameter
    await database.fetch("select * from item where name = $1", name)
    # ok: parapet.python.fastapi-sql-injection-parameter
    await database.fetch(f"select * from item limit {int(name)}")
    # ruleid: parapet.python.fastapi-path-traversal-parameter
    return FileResponse("files/" + name)


@api.post("/find")
def find(text: str):
    # ruleid: parapet.python.fastapi-sql-injection-parameter
    session.execute(sqlalchemy.text("select * from item where name like '%" + text + "%'"))
    # ok: parapet.python.fastapi-path-traversal-parameter
    return FileResponse("files/" + os.path.basename(text))


@api.get("/raw/{name}")
def raw(name: str):
    # ruleid: parapet.python.fastapi-path-traversal-parameter
    with open(os.path.join("files", name)) as file:
        return file.read()


@api.get("/fixed/{name}")
def fixed(name: str):
    # ok: parapet.python.fastapi-path-traversal-parameter
    return FileResponse("files/fixed.txt", filename=name)
