using System;

class People : Controller
{
    void Find(SqlConnection connection, DbSet<Person> people, string name, string table)
    {
        // ruleid: parapet.csharp.sql-injection-request, parapet.csharp.sql-injection-format
        var one = new SqlCommand("select * from people where name = '" + Request.Query["name"] + "'", connection);
        string order = Request.Form["order"];
        // ruleid: parapet.csharp.sql-injection-request
        one.CommandText = "select * from people order by " + order;
        // ok: parapet.csharp.sql-injection-request, parapet.csharp.sql-injection-format
        var two = new SqlCommand("select * from people where name = @name", connection);
        // ok: parapet.csharp.sql-injection-request
        one.CommandText = "select * from people limit " + int.Parse(Request.Form["limit"]);
        // ruleid: parapet.csharp.sql-injection-format
        var three = new SqlCommand("delete from people where name = '" + name + "'", connection);
        // ok: parapet.csharp.sql-injection-format
        var four = new SqlCommand("delete from " + TABLE, connection);
    }

    void Run()
    {
        // ruleid: parapet.csharp.command-injection-request
        Process.Start(Request.Query["program"]);
        // ruleid: parapet.csharp.command-injection-request
        Process.Start("sh", "-c " + Request.Form["command"]);
        // ok: parapet.csharp.command-injection-request
        Process.Start("uptime");
        // ok: parapet.csharp.command-injection-request
        Process.Start("kill", "-9 " + int.Parse(Request.Form["id"]));
        // ruleid: parapet.csharp.path-traversal-request
        File.ReadAllText("files/" + Request.Query["name"]);
        // ruleid: parapet.csharp.path-traversal-request
        File.Delete(Path.Combine("files", Request.Form["name"]));
        // ok: parapet.csharp.path-traversal-request
        File.ReadAllText("files/" + Path.GetFileName(Request.Query["name"]));
        // ok: parapet.csharp.path-traversal-request
        File.Delete("files/fixed.txt");
    }

    [HttpGet("leave")]
    public IActionResult Leave(string next)
    {
        // ruleid: parapet.csharp.open-redirect-request
        return Redirect(next);
    }

    [HttpGet("stay")]
    public IActionResult Stay(string next)
    {
        // ok: parapet.csharp.open-redirect-request
        return LocalRedirect(next);
    }

    void Leave()
    {
        // ruleid: parapet.csharp.open-redirect-request
        Response.Redirect(Request.Query["next"]);
        // ok: parapet.csharp.open-redirect-request
        Response.Redirect("/home");
    }

    async Task Fetch(HttpClient client)
    {
        // ruleid: parapet.csharp.ssrf-request
        await client.GetAsync(Request.Query["url"]);
        // ruleid: parapet.csharp.ssrf-request
        await client.GetStringAsync("https://" + Request.Query["host"]);
        // ok: parapet.csharp.ssrf-request
        await client.GetAsync("https://api.example.com/items/" + Request.Query["id"]);
        // ok: parapet.csharp.ssrf-request
        await client.GetAsync("https://api.example.com/");
        // ruleid: parapet.csharp.xss-raw-request
        var one = new HtmlString("<b>" + Request.Query["name"] + "</b>");
        // ruleid: parapet.csharp.xss-raw-request
        Response.Write(Request.Form["text"]);
        // ok: parapet.csharp.xss-raw-request
        var two = new HtmlString("<b>" + HttpUtility.HtmlEncode(Request.Query["name"]) + "</b>");
        // ok: parapet.csharp.xss-raw-request
        Response.Write("fixed");
    }

    [HttpPost]
    // ok: parapet.csharp.csrf-off
    [ValidateAntiForgeryToken]
    public IActionResult Pay(int amount) { return Ok(); }

    // ruleid: parapet.csharp.csrf-off
    [IgnoreAntiforgeryToken]
    public IActionResult Hook(int amount) { return Ok(); }

    // ruleid: parapet.csharp.csrf-off
    [IgnoreAntiforgeryToken]
    public async Task<IActionResult> Notify() { return Ok(); }

    // ok: parapet.csharp.csrf-off
    [Authorize]
    public IActionResult Show(int id) { return Ok(); }
}

class Libraries
{
    void Read(Stream stream, BinaryFormatter formatter, string text)
    {
        // ruleid: parapet.csharp.unsafe-deserialization
        new BinaryFormatter().Deserialize(stream);
        // ruleid: parapet.csharp.unsafe-deserialization
        formatter.Deserialize(stream);
        // ok: parapet.csharp.unsafe-deserialization
        JsonSerializer.Deserialize<Order>(stream);
        // ok: parapet.csharp.unsafe-deserialization
        new XmlSerializer(typeof(Order)).Deserialize(stream);
        // ruleid: parapet.csharp.json-any-type
        settings.TypeNameHandling = TypeNameHandling.All;
        // ruleid: parapet.csharp.json-any-type
        var one = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.Auto };
        // ok: parapet.csharp.json-any-type
        settings.TypeNameHandling = TypeNameHandling.None;
        // ok: parapet.csharp.json-any-type
        var two = new JsonSerializerSettings { Formatting = Formatting.Indented };
    }

    void Connect(HttpClientHandler handler, Aes aes)
    {
        // ruleid: parapet.csharp.tls-verification-off
        handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => true;
        // ruleid: parapet.csharp.tls-verification-off
        var any = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;
        // ok: parapet.csharp.tls-verification-off
        handler.ServerCertificateCustomValidationCallback = Check;
        // ok: parapet.csharp.tls-verification-off
        handler.CheckCertificateRevocationList = true;
        // ruleid: parapet.csharp.old-tls
        ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls;
        // ruleid: parapet.csharp.old-tls
        handler.SslProtocols = SslProtocols.Ssl3;
        // ok: parapet.csharp.old-tls
        ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls12;
        // ok: parapet.csharp.old-tls
        handler.SslProtocols = SslProtocols.None;
        // ruleid: parapet.csharp.weak-cipher
        var des = DES.Create();
        // ruleid: parapet.csharp.weak-cipher
        aes.Mode = CipherMode.ECB;
        // ok: parapet.csharp.weak-cipher
        var good = Aes.Create();
        // ok: parapet.csharp.weak-cipher
        aes.Mode = CipherMode.CBC;
    }

    void Secrets(string password, User user)
    {
        // ruleid: parapet.csharp.fast-password-hash
        SHA256.HashData(Encoding.UTF8.GetBytes(password));
        // ruleid: parapet.csharp.fast-password-hash
        sha.ComputeHash(Encoding.UTF8.GetBytes(user.Password));
        // ok: parapet.csharp.fast-password-hash
        SHA256.HashData(Encoding.UTF8.GetBytes(content));
        // ok: parapet.csharp.fast-password-hash
        Rfc2898DeriveBytes.Pbkdf2(password, salt, 600000, HashAlgorithmName.SHA256, 32);
        // ruleid: parapet.csharp.weak-random-token
        var token = new Random().Next(1000000);
        // ruleid: parapet.csharp.weak-random-token
        var resetCode = Random.Shared.Next(100000, 999999);
        // ok: parapet.csharp.weak-random-token
        var otherToken = RandomNumberGenerator.GetInt32(1000000);
        // ok: parapet.csharp.weak-random-token
        var color = new Random().Next(256);
        // ruleid: parapet.csharp.xml-external-entities
        settings.DtdProcessing = DtdProcessing.Parse;
        // ruleid: parapet.csharp.xml-external-entities
        document.XmlResolver = new XmlUrlResolver();
        // ok: parapet.csharp.xml-external-entities
        settings.DtdProcessing = DtdProcessing.Prohibit;
        // ok: parapet.csharp.xml-external-entities
        document.XmlResolver = null;
    }

    void Cookies(CookieAuthenticationOptions options, CorsPolicyBuilder policy)
    {
        // ruleid: parapet.csharp.cookie-without-flags
        options.Cookie.HttpOnly = false;
        // ruleid: parapet.csharp.cookie-without-flags
        var one = new CookieOptions { HttpOnly = true, Secure = false };
        // ok: parapet.csharp.cookie-without-flags
        options.Cookie.HttpOnly = true;
        // ok: parapet.csharp.cookie-without-flags
        var two = new CookieOptions { HttpOnly = true, Secure = true };
        // ruleid: parapet.csharp.cors-any-origin-credentials
        policy.SetIsOriginAllowed(origin => true).AllowAnyHeader().AllowCredentials();
        // ruleid: parapet.csharp.cors-any-origin-credentials
        policy.AllowAnyOrigin().AllowAnyMethod().AllowCredentials();
        // ok: parapet.csharp.cors-any-origin-credentials
        policy.WithOrigins("https://example.com").AllowCredentials();
        // ok: parapet.csharp.cors-any-origin-credentials
        policy.AllowAnyOrigin().AllowAnyMethod();
        // ruleid: parapet.csharp.token-unvalidated
        var three = new TokenValidationParameters { ValidateIssuerSigningKey = false };
        // ruleid: parapet.csharp.token-unvalidated
        var four = new TokenValidationParameters { ValidateIssuer = true, ValidateLifetime = false };
        // ok: parapet.csharp.token-unvalidated
        var five = new TokenValidationParameters { ValidateIssuerSigningKey = true, ValidateLifetime = true };
        // ok: parapet.csharp.token-unvalidated
        var six = new TokenValidationParameters { IssuerSigningKey = key };
    }
}
