import hashlib
import ssl

import httpx
import jwt
import requests
from Crypto.Cipher import AES, ARC4, DES
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def call(url):
    # ruleid: parapet.python.tls-verification-off
    requests.get(url, verify=False, timeout=5)
    session = requests.Session()
    # ruleid: parapet.python.tls-verification-off
    session.verify = False
    # ruleid: parapet.python.tls-verification-off
    httpx.Client(verify=False)
    # ruleid: parapet.python.tls-verification-off
    context = ssl._create_unverified_context()
    # ruleid: parapet.python.tls-verification-off
    context.verify_mode = ssl.CERT_NONE
    # ok: parapet.python.tls-verification-off
    requests.get(url, verify="/etc/ssl/own-ca.pem", timeout=5)
    # ok: parapet.python.tls-verification-off
    context = ssl.create_default_context()
    # ok: parapet.python.tls-verification-off
    context.verify_mode = ssl.CERT_REQUIRED


def encrypt(key, nonce):
    # ruleid: parapet.python.weak-cipher
    DES.new(key, DES.MODE_CBC, nonce)
    # ruleid: parapet.python.weak-cipher
    ARC4.new(key)
    # ruleid: parapet.python.weak-cipher
    AES.new(key, AES.MODE_ECB)
    # ruleid: parapet.python.weak-cipher
    Cipher(algorithms.AES(key), modes.ECB())
    # ok: parapet.python.weak-cipher
    AES.new(key, AES.MODE_GCM, nonce=nonce)
    # ok: parapet.python.weak-cipher
    Cipher(algorithms.AES(key), modes.GCM(nonce))


def store(user, password, salt, content):
    # ruleid: parapet.python.fast-password-hash
    hashlib.md5(password.encode()).hexdigest()
    # ruleid: parapet.python.fast-password-hash
    hashlib.sha256(salt + user.password.encode()).hexdigest()
    # ok: parapet.python.fast-password-hash
    hashlib.sha256(content).hexdigest()
    # ok: parapet.python.fast-password-hash
    hashlib.scrypt(password.encode(), salt=salt, n=16384, r=8, p=1)


def who(token, key):
    # ruleid: parapet.python.jwt-unverified
    jwt.decode(token, options={"verify_signature": False})
    # ruleid: parapet.python.jwt-unverified
    jwt.decode(token, key, algorithms=["HS256", "none"])
    # ok: parapet.python.jwt-unverified
    jwt.decode(token, key, algorithms=["HS256"])
    # ok: parapet.python.jwt-unverified
    return jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False})
