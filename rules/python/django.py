from django import forms
from django.db.models.expressions import RawSQL
from django.utils.decorators import method_decorator
from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from django.views.decorators.clickjacking import xframe_options_deny, xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt, csrf_protect

# ruleid: parapet.python.django-hard-coded-secret-key
SECRET_KEY = "k3v0r#4x9q2m7n1p8s5t6u0w"
# ruleid: parapet.python.django-debug
DEBUG = True
INSTALLED_APPS = ["shop"]
# ruleid: parapet.python.django-debug
DEBUG = True
# ok: parapet.python.django-debug
DEBUG = False
# ok: parapet.python.django-debug
DEBUG = os.environ.get("DEBUG") == "1"
# ruleid: parapet.python.django-any-host
ALLOWED_HOSTS = ["*"]
# ruleid: parapet.python.django-any-host
ALLOWED_HOSTS = ["example.com", "*"]
# ok: parapet.python.django-any-host
ALLOWED_HOSTS = ["example.com"]
# ok: parapet.python.django-any-host
ALLOWED_HOSTS = [".example.com"]
# ruleid: parapet.python.django-cookie-not-secure
SESSION_COOKIE_SECURE = False
# ruleid: parapet.python.django-cookie-not-secure
CSRF_COOKIE_SECURE = False
# ok: parapet.python.django-cookie-not-secure
SESSION_COOKIE_SECURE = True
# ok: parapet.python.django-cookie-not-secure
CSRF_COOKIE_SECURE = is_production()
# ruleid: parapet.python.django-cookie-readable-by-script
SESSION_COOKIE_HTTPONLY = False


class Development:
    # ruleid: parapet.python.django-cookie-readable-by-script
    SESSION_COOKIE_HTTPONLY = False


# ok: parapet.python.django-cookie-readable-by-script
SESSION_COOKIE_HTTPONLY = True
# ok: parapet.python.django-cookie-readable-by-script
CSRF_COOKIE_HTTPONLY = False
# ruleid: parapet.python.django-hard-coded-secret-key
SECRET_KEY = "x9q2m7n1p8s5t6u0wk3v0r#4"
# ok: parapet.python.django-hard-coded-secret-key
SECRET_KEY = os.environ["SECRET_KEY"]
# ok: parapet.python.django-hard-coded-secret-key
SECRET_KEY = "change-me-in-production"
# ruleid: parapet.python.django-cors-any-origin
CORS_ALLOW_ALL_ORIGINS = True
# ruleid: parapet.python.django-cors-any-origin
CORS_ORIGIN_ALLOW_ALL = True
# ok: parapet.python.django-cors-any-origin
CORS_ALLOW_ALL_ORIGINS = False
# ok: parapet.python.django-cors-any-origin
CORS_ALLOWED_ORIGINS = ["https://example.com"]
# ruleid: parapet.python.django-fast-password-hasher
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# ruleid: parapet.python.django-fast-password-hasher
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.UnsaltedSHA1PasswordHasher",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
]
# ok: parapet.python.django-fast-password-hasher
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
# ok: parapet.python.django-fast-password-hasher
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "django.contrib.auth.hashers.MD5PasswordHasher",
]


# ruleid: parapet.python.django-csrf-exempt
@csrf_exempt
def pay(request):
    return None


# ruleid: parapet.python.django-csrf-exempt
@method_decorator(csrf_exempt, name="dispatch")
class Pay(View):
    pass


# ok: parapet.python.django-csrf-exempt
@csrf_protect
def pay_safely(request):
    return None


# ok: parapet.python.django-csrf-exempt
@method_decorator(csrf_protect, name="dispatch")
class PaySafely(View):
    pass


def search(request):
    order = request.GET["order"]
    # ruleid: parapet.python.django-sql-extra-request
    Item.objects.extra(order_by=[order])
    # ruleid: parapet.python.django-sql-extra-request
    Item.objects.annotate(value=RawSQL("select " + request.POST["column"], ()))
    # ok: parapet.python.django-sql-extra-request
    Item.objects.annotate(value=RawSQL("select %s", (order,)))
    # ok: parapet.python.django-sql-extra-request
    Item.objects.extra(where=["price > %s"], params=[order])


def filters(request):
    # ruleid: parapet.python.django-filter-from-request
    User.objects.filter(**request.GET.dict())
    wanted = json.loads(request.body)
    # ruleid: parapet.python.django-filter-from-request
    User.objects.get(**wanted)
    # ok: parapet.python.django-filter-from-request
    User.objects.filter(name=request.GET["name"])
    allowed = {"name": request.GET["name"]}
    # ok: parapet.python.django-filter-from-request
    User.objects.filter(**allowed)


class UserForm(forms.ModelForm):
    class Meta:
        model = User
        # ruleid: parapet.python.django-mass-assignment
        fields = "__all__"


class NameForm(forms.ModelForm):
    class Meta:
        model = User
        # ok: parapet.python.django-mass-assignment
        fields = ["name"]


def create(request):
    # ruleid: parapet.python.django-mass-assignment
    User.objects.create(**request.POST.dict())
    # ok: parapet.python.django-mass-assignment
    User.objects.create(name=request.POST["name"])


def badge(name, level):
    # ruleid: parapet.python.django-mark-safe-format
    mark_safe("<b>%s</b>" % name)
    # ruleid: parapet.python.django-mark-safe-format
    mark_safe(f"<b>{name}</b>")
    # ok: parapet.python.django-mark-safe-format
    mark_safe("<b>%s</b>" % escape(name))
    # ok: parapet.python.django-mark-safe-format
    mark_safe("<hr>")
    # ok: parapet.python.django-mark-safe-format
    format_html("<b>{}</b>", name)


# ruleid: parapet.python.django-any-frame
@xframe_options_exempt
def widget(request):
    return None


# ruleid: parapet.python.django-any-frame
@xframe_options_exempt
def other_widget(request, key):
    return None


# ok: parapet.python.django-any-frame
@xframe_options_deny
def framed(request):
    return None


# ok: parapet.python.django-any-frame
def plain(request):
    return None
