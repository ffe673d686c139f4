fun people(db: SQLiteDatabase, statement: Statement, name: String) {
    // ruleid: parapet.kotlin.sql-injection-concat
    db.rawQuery("select * from people where name = '" + name + "'", null)
    // ruleid: parapet.kotlin.sql-injection-concat
    statement.executeQuery("select * from people where name = '" + name + "'")
    // ruleid: parapet.kotlin.sql-injection-concat
    db.rawQuery("select * from people where name = '$name'", null)
    // ok: parapet.kotlin.sql-injection-concat
    db.rawQuery("select * from people where name = ?", arrayOf(name))
    // ok: parapet.kotlin.sql-injection-concat
    statement.executeQuery("select * from " + TABLE)
    // ruleid: parapet.kotlin.command-injection
    Runtime.getRuntime().exec("ls " + name)
    // ruleid: parapet.kotlin.command-injection
    ProcessBuilder("sh", "-c", "ls " + name)
    // ok: parapet.kotlin.command-injection
    ProcessBuilder("ls", name)
    // ok: parapet.kotlin.command-injection
    Runtime.getRuntime().exec("uptime")
}

fun ciphers(key: ByteArray) {
    // ruleid: parapet.kotlin.weak-cipher
    Cipher.getInstance("DES/CBC/PKCS5Padding")
    // ruleid: parapet.kotlin.weak-cipher
    Cipher.getInstance("AES/ECB/PKCS5Padding")
    // ok: parapet.kotlin.weak-cipher
    Cipher.getInstance("AES/GCM/NoPadding")
    // ok: parapet.kotlin.weak-cipher
    Cipher.getInstance("ChaCha20-Poly1305")
    // ruleid: parapet.kotlin.hard-coded-cipher-key
    SecretKeySpec("0123456789abcdef".toByteArray(), "AES")
    // ruleid: parapet.kotlin.hard-coded-cipher-key
    Algorithm.HMAC256("correct horse")
    // ok: parapet.kotlin.hard-coded-cipher-key
    SecretKeySpec(key, "AES")
    // ok: parapet.kotlin.hard-coded-cipher-key
    Algorithm.HMAC256(key)
    // ruleid: parapet.kotlin.weak-random-token
    val token = Random.nextLong().toString()
    // ruleid: parapet.kotlin.weak-random-token
    val resetCode = Random.nextInt(1000000)
    // ok: parapet.kotlin.weak-random-token
    val otherToken = SecureRandom().nextLong()
    // ok: parapet.kotlin.weak-random-token
    val color = Random.nextInt(256)
}

fun connect(builder: OkHttpClient.Builder) {
    // ruleid: parapet.kotlin.trust-all-certificates
    builder.hostnameVerifier { host, session -> true }
    // ok: parapet.kotlin.trust-all-certificates
    builder.hostnameVerifier { host, session -> host == "example.com" }
}

class TrustAll : X509TrustManager {
    // ruleid: parapet.kotlin.trust-all-certificates
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {}
}

class TrustSome : X509TrustManager {
    // ok: parapet.kotlin.trust-all-certificates
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
        other.checkServerTrusted(chain, type)
    }
}

class Page : WebViewClient() {
    override fun onReceivedSslError(view: WebView, handler: SslErrorHandler, error: SslError) {
        // ruleid: parapet.kotlin.webview-ignores-certificate
        handler.proceed()
    }
}

class OtherPage : WebViewClient() {
    override fun onReceivedSslError(view: WebView?, handler: SslErrorHandler?, error: SslError?) {
        log(error)
        // ruleid: parapet.kotlin.webview-ignores-certificate
        handler.proceed()
    }
}

class GoodPage : WebViewClient() {
    override fun onReceivedSslError(view: WebView, handler: SslErrorHandler, error: SslError) {
        // ok: parapet.kotlin.webview-ignores-certificate
        handler.cancel()
    }

    fun next(chain: Chain) {
        // ok: parapet.kotlin.webview-ignores-certificate
        chain.proceed()
    }
}

fun views(view: WebView, settings: WebSettings, context: Context) {
    // ruleid: parapet.kotlin.webview-file-access
    settings.allowUniversalAccessFromFileURLs = true
    // ruleid: parapet.kotlin.webview-file-access
    view.settings.allowFileAccessFromFileURLs = true
    // ok: parapet.kotlin.webview-file-access
    settings.allowUniversalAccessFromFileURLs = false
    // ok: parapet.kotlin.webview-file-access
    settings.javaScriptEnabled = true
    // ruleid: parapet.kotlin.webview-debugging
    WebView.setWebContentsDebuggingEnabled(true)
    // ok: parapet.kotlin.webview-debugging
    WebView.setWebContentsDebuggingEnabled(false)
    if (BuildConfig.DEBUG) {
        // ok: parapet.kotlin.webview-debugging
        WebView.setWebContentsDebuggingEnabled(true)
    }
    // ruleid: parapet.kotlin.world-readable-file
    context.openFileOutput("data", Context.MODE_WORLD_READABLE)
    // ruleid: parapet.kotlin.world-readable-file
    context.getSharedPreferences("data", Context.MODE_WORLD_WRITEABLE)
    // ok: parapet.kotlin.world-readable-file
    context.openFileOutput("data", Context.MODE_PRIVATE)
    // ok: parapet.kotlin.world-readable-file
    context.getSharedPreferences("data", Context.MODE_PRIVATE)
}

fun start() {
    // ruleid: parapet.kotlin.webview-debugging
    WebView.setWebContentsDebuggingEnabled(true)
}

fun security(http: HttpSecurity) {
    // ruleid: parapet.kotlin.spring-csrf-off
    http.csrf().disable()
    // ruleid: parapet.kotlin.spring-csrf-off
    http.csrf { it.disable() }
    // ok: parapet.kotlin.spring-csrf-off
    http.csrf { it.ignoringRequestMatchers("/hooks") }
    // ok: parapet.kotlin.spring-csrf-off
    http.cors { it.disable() }
}
