import base64
import json
import pickle

import yaml
from flask import request


def restore():
    # ruleid: parapet.python.unsafe-deserialization-request
    basket = pickle.loads(base64.b64decode(request.cookies["basket"]))
    # ruleid: parapet.python.unsafe-deserialization-request
    basket = pickle.loads(request.get_data())
    # ok: parapet.python.unsafe-deserialization-request
    basket = json.loads(request.get_data())
    return basket


def cached(path):
    with open(path, "rb") as file:
        # ok: parapet.python.unsafe-deserialization-request
        return pickle.load(file)


def settings(text):
    # ruleid: parapet.python.unsafe-yaml-load
    yaml.load(text, Loader=yaml.Loader)
    # ruleid: parapet.python.unsafe-yaml-load
    yaml.load(text, yaml.UnsafeLoader)
    # ruleid: parapet.python.unsafe-yaml-load
    yaml.unsafe_load(text)
    # ok: parapet.python.unsafe-yaml-load
    yaml.load(text, Loader=yaml.SafeLoader)
    # ok: parapet.python.unsafe-yaml-load
    yaml.load(text, Loader=yaml.CSafeLoader)
    # ok: parapet.python.unsafe-yaml-load
    return yaml.safe_load(text)
