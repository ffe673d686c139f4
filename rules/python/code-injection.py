import ast
import json

import jinja2
from flask import render_template, render_template_string, request


def calculate():
    formula = request.args["formula"]
    # ruleid: parapet.python.code-injection-request
    result = eval(formula)
    # ok: parapet.python.code-injection-request
    result = ast.literal_eval(formula)
    # ok: parapet.python.code-injection-request
    result = eval("1 + 1")
    return result


def django_view(request):
    # ruleid: parapet.python.code-injection-request
    exec(request.body)
    # ok: parapet.python.code-injection-request
    return json.loads(request.body)


def greet():
    name = request.form.get("name")
    # ruleid: parapet.python.template-injection-request
    page = render_template_string("<p>Hello " + name + "</p>")
    # ruleid: parapet.python.template-injection-request
    page = jinja2.Template(f"Hello {name}").render()
    # ok: parapet.python.template-injection-request
    page = render_template_string("<p>Hello {{ name }}</p>", name=name)
    # ok: parapet.python.template-injection-request
    page = render_template("hello.html", name=name)
    return page
