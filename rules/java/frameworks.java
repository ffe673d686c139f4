import javax.crypto.Cipher;

class Security {
    void csrf(HttpSecurity http) throws Exception {
        // ruleid: parapet.java.spring-csrf-off
        http.csrf().disable();
        // ruleid: parapet.java.spring-csrf-off
        http.csrf(csrf -> csrf.disable());
        // ok: parapet.java.spring-csrf-off
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/hooks"));
        // ok: parapet.java.spring-csrf-off
        http.csrf(Customizer.withDefaults());
    }

    SecurityFilterChain stateless(HttpSecurity http) throws Exception {
        // ok: parapet.java.spring-csrf-off
        http.csrf(csrf -> csrf.disable());
        http.sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        return http.build();
    }

    void requests(HttpSecurity http) throws Exception {
        // ruleid: parapet.java.spring-permit-everything
        http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
        // ruleid: parapet.java.spring-permit-everything
        http.authorizeRequests().antMatchers("/**").permitAll();
        // ok: parapet.java.spring-permit-everything
        http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated());
        // ok: parapet.java.spring-permit-everything
        http.authorizeRequests().antMatchers("/login").permitAll();
        // ruleid: parapet.java.spring-headers-off
        http.headers().disable();
        // ruleid: parapet.java.spring-headers-off
        http.headers().frameOptions().disable();
        // ok: parapet.java.spring-headers-off
        http.headers().frameOptions().sameOrigin();
        // ok: parapet.java.spring-headers-off
        http.headers(Customizer.withDefaults());
        // ruleid: parapet.java.spring-actuator-open
        http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/**").permitAll());
        // ruleid: parapet.java.spring-actuator-open
        http.authorizeHttpRequests(r -> r.requestMatchers(EndpointRequest.toAnyEndpoint()).permitAll());
        // ok: parapet.java.spring-actuator-open
        http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health").permitAll());
        // ok: parapet.java.spring-actuator-open
        http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/**").hasRole("ADMIN"));
    }

    void passwords() {
        // ruleid: parapet.java.spring-plain-text-passwords
        encoder = NoOpPasswordEncoder.getInstance();
        // ruleid: parapet.java.spring-plain-text-passwords
        encoder = new MessageDigestPasswordEncoder("MD5");
        // ok: parapet.java.spring-plain-text-passwords
        encoder = new BCryptPasswordEncoder();
        // ok: parapet.java.spring-plain-text-passwords
        encoder = PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

    CorsConfiguration origins(CorsRegistry registry) {
        // ruleid: parapet.java.spring-cors-any-origin-credentials
        registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);
        // ok: parapet.java.spring-cors-any-origin-credentials
        registry.addMapping("/**").allowedOrigins("https://example.com").allowCredentials(true);
        // ok: parapet.java.spring-cors-any-origin-credentials
        registry.addMapping("/**").allowedOriginPatterns("*");
        CorsConfiguration config = new CorsConfiguration();
        config.setAllowCredentials(true);
        // ruleid: parapet.java.spring-cors-any-origin-credentials
        config.addAllowedOriginPattern("*");
        return config;
    }
}

@Controller
class Pages {
    @GetMapping("/page")
    public String page(@RequestParam String name) {
        // ruleid: parapet.java.spring-template-from-request
        return "pages/" + name;
    }

    @GetMapping("/view/{view}")
    public String view(@PathVariable String view, Model model) {
        // ruleid: parapet.java.spring-template-from-request
        return view;
    }

    @GetMapping("/fixed")
    public String fixed(@RequestParam String name, Model model) {
        model.addAttribute("name", name);
        // ok: parapet.java.spring-template-from-request
        return "pages/fixed";
    }

    @GetMapping("/text")
    @ResponseBody
    public String text(@RequestParam String name) {
        // ok: parapet.java.spring-template-from-request
        return "hello " + name;
    }

    void search(HttpServletRequest request, HttpServletResponse response, DirContext directory, XPath xpath, Document doc)
            throws Exception {
        String uid = request.getParameter("uid");
        // ruleid: parapet.java.ldap-injection-request
        directory.search("dc=example", "(uid=" + uid + ")", controls);
        // ruleid: parapet.java.ldap-injection-request
        directory.search("dc=example", request.getParameter("filter"), controls);
        // ok: parapet.java.ldap-injection-request
        directory.search("dc=example", "(uid={0})", new Object[] {uid}, controls);
        // ok: parapet.java.ldap-injection-request
        directory.search("dc=example", "(uid=" + LdapEncoder.filterEncode(uid) + ")", controls);
        // ruleid: parapet.java.xpath-injection-request
        xpath.evaluate("//user[name='" + uid + "']", doc);
        // ruleid: parapet.java.xpath-injection-request
        xpath.compile(request.getParameter("path"));
        // ok: parapet.java.xpath-injection-request
        xpath.evaluate("//user[name=$name]", doc);
        // ok: parapet.java.xpath-injection-request
        xpath.compile("//user");
        // ruleid: parapet.java.log-injection-request
        log.info("login of " + uid);
        // ruleid: parapet.java.log-injection-request
        logger.warn("refused: " + request.getHeader("User-Agent"));
        // ok: parapet.java.log-injection-request
        log.info("login of {}", uid);
        // ok: parapet.java.log-injection-request
        log.info("login of " + uid.replaceAll("[\r\n]", "_"));
        // ruleid: parapet.java.header-injection-request
        response.setHeader("X-Name", uid);
        // ruleid: parapet.java.header-injection-request
        response.addHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
        // ok: parapet.java.header-injection-request
        response.setHeader("X-Name", URLEncoder.encode(uid, "UTF-8"));
        // ok: parapet.java.header-injection-request
        response.setHeader("Cache-Control", "no-store");
        // ruleid: parapet.java.reflection-from-request
        Class.forName(request.getParameter("type"));
        // ruleid: parapet.java.reflection-from-request
        target.getClass().getMethod(uid);
        // ok: parapet.java.reflection-from-request
        Class.forName("org.postgresql.Driver");
        // ok: parapet.java.reflection-from-request
        target.getClass().getMethod("getName");
    }
}

class Libraries {
    void read(ObjectMapper mapper, String text) {
        // ruleid: parapet.java.jackson-default-typing
        mapper.enableDefaultTyping();
        // ruleid: parapet.java.jackson-default-typing
        mapper.activateDefaultTyping(LaissezFaireSubTypeValidator.instance, NON_FINAL);
        // ok: parapet.java.jackson-default-typing
        mapper.activateDefaultTyping(validator, NON_FINAL);
        // ok: parapet.java.jackson-default-typing
        mapper.readValue(text, Order.class);
        // ruleid: parapet.java.snakeyaml-any-type
        new Yaml().load(text);
        // ruleid: parapet.java.snakeyaml-any-type
        Yaml yaml = new Yaml();
        yaml.load(text);
        // ok: parapet.java.snakeyaml-any-type
        new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        // ok: parapet.java.snakeyaml-any-type
        Yaml safe = new Yaml(new SafeConstructor(options));
        safe.load(text);
    }

    Object xml(String text) {
        XStream xstream = new XStream();
        // ruleid: parapet.java.xstream-without-allowlist
        return xstream.fromXML(text);
    }

    Object xmlWithDriver(Reader text) {
        XStream reader = new XStream(new StaxDriver());
        // ruleid: parapet.java.xstream-without-allowlist
        return reader.fromXML(text);
    }

    Object xmlAllowed(String text) {
        XStream xstream = new XStream();
        xstream.allowTypes(new Class[] {Order.class});
        // ok: parapet.java.xstream-without-allowlist
        return xstream.fromXML(text);
    }

    Object xmlWildcard(String text) {
        XStream xstream = new XStream();
        xstream.allowTypesByWildcard(new String[] {"com.example.**"});
        // ok: parapet.java.xstream-without-allowlist
        return xstream.fromXML(text);
    }

    void unzip(File folder, ZipEntry entry) {
        // ruleid: parapet.java.zip-slip
        File target = new File(folder, entry.getName());
    }

    void untar(File folder, TarArchiveEntry entry) {
        // ruleid: parapet.java.zip-slip
        write(new File(folder, entry.getName()));
    }

    void unzipSafely(File folder, ZipEntry entry) throws IOException {
        // ok: parapet.java.zip-slip
        File target = new File(folder, entry.getName());
        if (!target.toPath().normalize().startsWith(folder.toPath())) {
            throw new IOException("outside");
        }
    }

    void unzipFixed(File folder, ZipEntry entry) {
        // ok: parapet.java.zip-slip
        File target = new File(folder, "fixed.txt");
    }

    void tokens(String token, byte[] key) {
        // ruleid: parapet.java.jwt-unsigned
        JWT.create().sign(Algorithm.none());
        // ruleid: parapet.java.jwt-unsigned
        Jwts.parser().build().parseUnsecuredClaims(token);
        // ok: parapet.java.jwt-unsigned
        JWT.create().sign(Algorithm.HMAC256(key));
        // ok: parapet.java.jwt-unsigned
        Jwts.parser().verifyWith(key).build().parseSignedClaims(token);
        // ruleid: parapet.java.hard-coded-cipher-key
        new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
        // ruleid: parapet.java.hard-coded-cipher-key
        Algorithm.HMAC256("correct horse");
        // ok: parapet.java.hard-coded-cipher-key
        new SecretKeySpec(key, "AES");
        // ok: parapet.java.hard-coded-cipher-key
        Algorithm.HMAC256(key);
    }

    void ciphers(byte[] iv) throws Exception {
        // ruleid: parapet.java.constant-iv
        new IvParameterSpec("0123456789abcdef".getBytes());
        // ruleid: parapet.java.constant-iv
        new IvParameterSpec(new byte[16]);
        // ok: parapet.java.constant-iv
        new IvParameterSpec(iv);
        // ok: parapet.java.constant-iv
        new GCMParameterSpec(128, iv);
        // ruleid: parapet.java.rsa-without-padding
        Cipher.getInstance("RSA/ECB/PKCS1Padding");
        // ruleid: parapet.java.rsa-without-padding
        Cipher.getInstance("RSA");
        // ok: parapet.java.rsa-without-padding
        Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        // ok: parapet.java.rsa-without-padding
        Cipher.getInstance("AES/GCM/NoPadding");
        // ruleid: parapet.java.old-tls
        SSLContext.getInstance("SSLv3");
        // ruleid: parapet.java.old-tls
        SSLContext.getInstance("TLSv1.1");
        // ok: parapet.java.old-tls
        SSLContext.getInstance("TLS");
        // ok: parapet.java.old-tls
        SSLContext.getInstance("TLSv1.3");
    }

    void keys() throws Exception {
        // ruleid: parapet.java.small-rsa-key
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(1024);
    }

    void dsaKeys() throws Exception {
        // ruleid: parapet.java.small-rsa-key
        KeyPairGenerator dsa = KeyPairGenerator.getInstance("DSA");
        dsa.initialize(512, random);
    }

    void goodKeys() throws Exception {
        // ok: parapet.java.small-rsa-key
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(3072);
    }

    void curve() throws Exception {
        // ok: parapet.java.small-rsa-key
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(256);
    }

    void cookies(HttpServletResponse response) {
        Cookie cookie = new Cookie("session", "x");
        // ruleid: parapet.java.cookie-readable-by-script
        cookie.setHttpOnly(false);
        // ok: parapet.java.cookie-readable-by-script
        cookie.setHttpOnly(true);
        // ruleid: parapet.java.cookie-readable-by-script
        ResponseCookie.from("session", "x").path("/").httpOnly(false).build();
        // ok: parapet.java.cookie-readable-by-script
        ResponseCookie.from("session", "x").httpOnly(true).build();
    }

    void android(WebView view, Context context) {
        WebSettings settings = view.getSettings();
        // ruleid: parapet.java.android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(true);
        // ruleid: parapet.java.android-webview-file-access
        view.getSettings().setAllowFileAccessFromFileURLs(true);
        // ok: parapet.java.android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(false);
        // ok: parapet.java.android-webview-file-access
        settings.setJavaScriptEnabled(true);
        // ruleid: parapet.java.android-world-readable
        context.openFileOutput("data", Context.MODE_WORLD_READABLE);
        // ruleid: parapet.java.android-world-readable
        context.getSharedPreferences("data", Context.MODE_WORLD_WRITEABLE);
        // ok: parapet.java.android-world-readable
        context.openFileOutput("data", Context.MODE_PRIVATE);
        // ok: parapet.java.android-world-readable
        context.getSharedPreferences("data", Context.MODE_PRIVATE);
    }
}
