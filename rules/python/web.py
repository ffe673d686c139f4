import flask
import requests
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from flask import Flask, jsonify, make_response, redirect, request, url_for
from markupsafe import escape

app = Flask(__name__)


def fetch():
    url = request.args["url"]
    # ruleid: parapet.python.ssrf-request
    requests.get(url, timeout=5)
    # ruleid: parapet.python.ssrf-request
    requests.post(f"https://{request.args['host']}/hook", timeout=5)
    # ok: parapet.python.ssrf-request
    requests.get(f"https://api.example.com/items/{request.args['item']}", timeout=5)
    # ok: parapet.python.ssrf-request
    requests.get("https://api.example.com/items", params={"url": url}, timeout=5)


def leave():
    # ruleid: parapet.python.open-redirect-request
    return redirect(request.args.get("next"))


def stay():
    # ok: parapet.python.open-redirect-request
    return redirect(f"/people/{request.args['name']}")


def stay_by_name():
    # ok: parapet.python.open-redirect-request
    return redirect(url_for("page", name=request.args.get("name")))


def django_leave(request):
    target = request.GET["next"]
    # ruleid: parapet.python.open-redirect-request
    return HttpResponseRedirect(target)


def django_stay(request):
    target = request.GET["next"]
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={"example.com"}):
        return HttpResponseRedirect("/")
    # ok: parapet.python.open-redirect-request
    return HttpResponseRedirect(target)


def echo():
    name = request.args["name"]
    # ruleid: parapet.python.xss-response-request
    make_response("<p>Hello " + name + "</p>")
    # ok: parapet.python.xss-response-request
    make_response(f"<p>Hello {escape(name)}</p>")
    # ok: parapet.python.xss-response-request
    return make_response(jsonify(name))


def django_echo(request):
    # ruleid: parapet.python.xss-response-request
    return HttpResponse("Hello " + request.GET["name"])


def django_plain(request):
    # ok: parapet.python.xss-response-request
    return HttpResponse("Hello " + request.GET["name"], content_type="text/plain")


if __name__ == "__main__":
    # ruleid: parapet.python.flask-debug
    app.run(host="127.0.0.1", debug=True)
    # ruleid: parapet.python.flask-debug
    app.config["DEBUG"] = True
    # ok: parapet.python.flask-debug
    app.run(host="127.0.0.1", debug=False)
    # ok: parapet.python.flask-debug
    app.run(debug=flask.helpers.get_debug_flag())
