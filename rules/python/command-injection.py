import os
import shlex
import subprocess

from flask import request


def ping():
    host = request.args.get("host")
    # ruleid: parapet.python.command-injection-request, parapet.python.shell-command-format
    os.system("ping -c 1 " + host)
    # ruleid: parapet.python.command-injection-request
    subprocess.run(host, shell=True, check=True)
    # ok: parapet.python.command-injection-request, parapet.python.shell-command-format
    subprocess.run(["ping", "-c", "1", host], check=True)
    # ok: parapet.python.command-injection-request, parapet.python.shell-command-format
    os.system("ping -c 1 " + shlex.quote(host))


def repeat():
    times = int(request.form["times"])
    # ok: parapet.python.command-injection-request
    subprocess.getoutput("repeat " + str(times))


def django_view(request):
    # ruleid: parapet.python.command-injection-request, parapet.python.shell-command-format
    return os.popen(f"cat {request.GET['file']}").read()


def archive(folder):
    # ruleid: parapet.python.shell-command-format
    subprocess.check_call("tar cf out.tar %s" % folder, shell=True)
    command = "tar cf out.tar {}".format(folder)
    # ruleid: parapet.python.shell-command-format
    subprocess.Popen(command, shell=True)
    # ok: parapet.python.shell-command-format
    subprocess.check_call("tar cf out.tar .", shell=True)
    # ok: parapet.python.shell-command-format
    subprocess.check_call(["tar", "cf", f"{folder}.tar", folder])
    # ok: parapet.python.shell-command-format
    subprocess.run(shlex.join(["tar", "cf", f"{folder}.tar", folder]), shell=True)
