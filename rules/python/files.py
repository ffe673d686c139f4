import os
import tarfile
import tempfile

from flask import request, send_file, send_from_directory
from werkzeug.utils import secure_filename


def download():
    name = request.args["name"]
    # ruleid: parapet.python.path-traversal-request
    with open(os.path.join("/srv/files", name)) as file:
        file.read()
    # ruleid: parapet.python.path-traversal-request
    send_file("/srv/files/" + name)
    # ok: parapet.python.path-traversal-request
    send_file("/srv/files/" + secure_filename(name))
    # ok: parapet.python.path-traversal-request
    with open(os.path.join("/srv/files", os.path.basename(name))) as file:
        file.read()
    # ok: parapet.python.path-traversal-request
    return send_from_directory("/srv/files", name)


def django_view(request):
    # ruleid: parapet.python.path-traversal-request
    os.remove("/srv/files/" + request.POST["name"])
    # ok: parapet.python.path-traversal-request
    os.remove("/srv/files/%d" % int(request.POST["number"]))


def unpack(path, folder, wanted):
    with tarfile.open(path) as archive:
        # ruleid: parapet.python.archive-extract-all
        archive.extractall(folder)
    other = tarfile.open(path)
    # ruleid: parapet.python.archive-extract-all
    other.extractall(path=folder)
    # ok: parapet.python.archive-extract-all
    other.extractall(folder, filter="data")
    # ok: parapet.python.archive-extract-all
    other.extractall(folder, members=wanted)
    # ok: parapet.python.archive-extract-all
    wanted.extractall(folder)


def scratch():
    # ruleid: parapet.python.temporary-file-name
    name = tempfile.mktemp()
    # ruleid: parapet.python.temporary-file-name
    log = tempfile.mktemp(suffix=".log")
    # ok: parapet.python.temporary-file-name
    handle, name = tempfile.mkstemp()
    # ok: parapet.python.temporary-file-name
    with tempfile.NamedTemporaryFile() as file:
        return handle, name, file
