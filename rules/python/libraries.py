import asyncio
import hashlib
import hmac
import json
import logging
import os
import pickle
import random
import re
import secrets
import shlex
import smtplib
import ssl
import subprocess
import sys
import xml.etree.ElementTree
import xml.sax.handler

import debugpy
import flask
import jwt
import ldap.filter
import lxml.etree
import numpy
import paramiko
import pydevd
import requests
import torch
from Crypto.Cipher import AES
from Crypto.PublicKey import RSA
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.ciphers import modes
from flask import request


def evaluate():
    # ruleid: parapet.python.eval-of-input
    eval(input("formula"))
    # ruleid: parapet.python.eval-of-input
    exec(requests.get("https://example.com/code.py", timeout=5).text)
    # ok: parapet.python.eval-of-input
    eval("1 + 1")
    # ok: parapet.python.eval-of-input
    json.loads(input("formula"))


def parse(body, parser):
    # ruleid: parapet.python.xml-external-entities
    lxml.etree.XMLParser(resolve_entities=True)
    # ruleid: parapet.python.xml-external-entities
    parser.setFeature(xml.sax.handler.feature_external_ges, True)
    # ok: parapet.python.xml-external-entities
    lxml.etree.XMLParser(resolve_entities=False)
    # ok: parapet.python.xml-external-entities
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    # ruleid: parapet.python.xml-bomb-request
    xml.etree.ElementTree.fromstring(request.data)
    text = request.get_data()
    # ruleid: parapet.python.xml-bomb-request
    xml.etree.ElementTree.fromstring(text)
    # ok: parapet.python.xml-bomb-request
    xml.etree.ElementTree.fromstring(body)
    # ok: parapet.python.xml-bomb-request
    xml.etree.ElementTree.parse("feed.xml")


def tokens(letters):
    # ruleid: parapet.python.weak-random-token
    token = "".join(random.choice(letters) for _ in range(20))
    # ruleid: parapet.python.weak-random-token
    reset_code = random.randint(100000, 999999)
    # ok: parapet.python.weak-random-token
    token = "".join(secrets.choice(letters) for _ in range(20))
    # ok: parapet.python.weak-random-token
    color = random.choice(letters)
    return token, reset_code, color


def signed(key, body, given):
    # ruleid: parapet.python.signature-compared-by-time
    if hmac.new(key, body, hashlib.sha256).hexdigest() == given:
        return True
    # ruleid: parapet.python.signature-compared-by-time
    if given != hmac.new(key, body, hashlib.sha256).hexdigest():
        return False
    # ok: parapet.python.signature-compared-by-time
    if hmac.compare_digest(hmac.new(key, body, hashlib.sha256).hexdigest(), given):
        return True
    # ok: parapet.python.signature-compared-by-time
    return hashlib.sha256(body).hexdigest() == given


def connect(client, context):
    # ruleid: parapet.python.ssh-host-key-unchecked
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    # ruleid: parapet.python.ssh-host-key-unchecked
    client.set_missing_host_key_policy(paramiko.WarningPolicy)
    # ok: parapet.python.ssh-host-key-unchecked
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    # ok: parapet.python.ssh-host-key-unchecked
    client.load_system_host_keys()
    # ruleid: parapet.python.old-tls
    ssl.SSLContext(ssl.PROTOCOL_TLSv1)
    # ruleid: parapet.python.old-tls
    context.minimum_version = ssl.TLSVersion.TLSv1_1
    # ok: parapet.python.old-tls
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # ok: parapet.python.old-tls
    context.minimum_version = ssl.TLSVersion.TLSv1_2


def ciphers(key, iv):
    # ruleid: parapet.python.small-rsa-key
    rsa.generate_private_key(public_exponent=65537, key_size=1024)
    # ruleid: parapet.python.small-rsa-key
    RSA.generate(1024)
    # ok: parapet.python.small-rsa-key
    rsa.generate_private_key(public_exponent=65537, key_size=3072)
    # ok: parapet.python.small-rsa-key
    RSA.generate(2048)
    # ruleid: parapet.python.constant-iv
    modes.CBC(b"0123456789abcdef")
    # ruleid: parapet.python.constant-iv
    AES.new(key, AES.MODE_CBC, b"0123456789abcdef")
    # ok: parapet.python.constant-iv
    modes.CBC(os.urandom(16))
    # ok: parapet.python.constant-iv
    AES.new(key, AES.MODE_CBC, iv)
    # ruleid: parapet.python.hard-coded-cipher-key
    Fernet(b"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    # ruleid: parapet.python.hard-coded-cipher-key
    AES.new(b"0123456789abcdef", AES.MODE_GCM)
    # ok: parapet.python.hard-coded-cipher-key
    Fernet(key)
    # ok: parapet.python.hard-coded-cipher-key
    AES.new(key, AES.MODE_GCM)


def sign(claims, token, key):
    # ruleid: parapet.python.jwt-hard-coded-key
    jwt.encode(claims, "correct-horse", algorithm="HS256")
    # ruleid: parapet.python.jwt-hard-coded-key
    jwt.decode(token, "correct-horse", algorithms=["HS256"])
    # ok: parapet.python.jwt-hard-coded-key
    jwt.encode(claims, key, algorithm="HS256")
    # ok: parapet.python.jwt-hard-coded-key
    jwt.decode(token, os.environ["JWT_KEY"], algorithms=["HS256"])
    # ruleid: parapet.python.jwt-unsigned-token
    jwt.encode(claims, key, algorithm="none")
    # ruleid: parapet.python.jwt-unsigned-token
    jwt.encode(claims, None, algorithm=None)
    # ok: parapet.python.jwt-unsigned-token
    jwt.encode(claims, key, algorithm="HS256")
    # ok: parapet.python.jwt-unsigned-token
    jwt.decode(token, key, algorithms=["HS256"])


def receive(connection, file):
    # ruleid: parapet.python.pickle-over-network
    pickle.loads(connection.recv(4096))
    body = requests.get("https://example.com/model", timeout=5).content
    # ruleid: parapet.python.pickle-over-network
    pickle.loads(body)
    # ok: parapet.python.pickle-over-network
    json.loads(connection.recv(4096))
    # ok: parapet.python.pickle-over-network
    pickle.loads(file)
    # ruleid: parapet.python.model-file-unpickled
    torch.load("model.pt", weights_only=False)
    # ruleid: parapet.python.model-file-unpickled
    numpy.load("data.npy", allow_pickle=True)
    # ok: parapet.python.model-file-unpickled
    torch.load("model.pt", weights_only=True)
    # ok: parapet.python.model-file-unpickled
    numpy.load("data.npy")
    # ruleid: parapet.python.world-writable-file
    os.chmod("data.db", 0o777)
    # ruleid: parapet.python.world-writable-file
    file.chmod(0o666)
    # ok: parapet.python.world-writable-file
    os.chmod("data.db", 0o600)
    # ok: parapet.python.world-writable-file
    os.chmod("tool", 0o755)


def search(directory, collection):
    name = request.args["name"]
    # ruleid: parapet.python.ldap-injection-request
    directory.search_s("dc=example", 2, f"(uid={name})")
    # ruleid: parapet.python.ldap-injection-request
    directory.search("dc=example", "(uid=" + request.form["uid"] + ")")
    # ok: parapet.python.ldap-injection-request
    directory.search_s("dc=example", 2, f"(uid={ldap.filter.escape_filter_chars(name)})")
    # ok: parapet.python.ldap-injection-request
    directory.search("dc=example", "(uid=admin)")
    # ruleid: parapet.python.regex-from-request
    re.search(name, "text")
    # ruleid: parapet.python.regex-from-request
    re.compile("^" + request.args["prefix"])
    # ok: parapet.python.regex-from-request
    re.search(re.escape(name), "text")
    # ok: parapet.python.regex-from-request
    re.search("^[a-z]+$", name)
    # ruleid: parapet.python.log-injection-request
    logging.info("search for " + name)
    # ruleid: parapet.python.log-injection-request
    logging.warning(f"no result for {name}")
    # ok: parapet.python.log-injection-request
    logging.info("search for %r", name)
    # ok: parapet.python.log-injection-request
    logging.info(f"search for {name!r} {repr(name)}".replace("\n", " "))
    # ruleid: parapet.python.nosql-injection-request
    collection.find_one({"name": flask.request.json["name"]})
    query = request.get_json()
    # ruleid: parapet.python.nosql-injection-request
    collection.delete_many(query)
    # ok: parapet.python.nosql-injection-request
    collection.find_one({"name": str(request.get_json()["name"])})
    # ok: parapet.python.nosql-injection-request
    collection.find_one({"name": name})


def mail(password):
    # ruleid: parapet.python.smtp-without-tls
    server = smtplib.SMTP("mail.example.com")
    server.login("app", password)


def mail_on_port(password):
    # ruleid: parapet.python.smtp-without-tls
    server = smtplib.SMTP("mail.example.com", 25)
    server.set_debuglevel(1)
    server.login("app", password)


def mail_safely(password):
    # ok: parapet.python.smtp-without-tls
    server = smtplib.SMTP("mail.example.com", 587)
    server.starttls()
    server.login("app", password)


def mail_encrypted(password):
    # ok: parapet.python.smtp-without-tls
    server = smtplib.SMTP_SSL("mail.example.com")
    server.login("app", password)


def debug():
    # ruleid: parapet.python.remote-debugger
    debugpy.listen(("0.0.0.0", 5678))
    # ruleid: parapet.python.remote-debugger
    pydevd.settrace("192.0.2.1")
    # ok: parapet.python.remote-debugger
    debugpy.listen(("127.0.0.1", 5678))
    # ok: parapet.python.remote-debugger
    debugpy.wait_for_client()
