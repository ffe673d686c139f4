package main

import (
	_ "net/http/pprof"
)

func connect(key ssh.PublicKey) {
	// ruleid: parapet.go.ssh-host-key-unchecked
	config := ssh.ClientConfig{HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	// ruleid: parapet.go.ssh-host-key-unchecked
	config.HostKeyCallback = ssh.InsecureIgnoreHostKey()
	// ok: parapet.go.ssh-host-key-unchecked
	config.HostKeyCallback = ssh.FixedHostKey(key)
	// ok: parapet.go.ssh-host-key-unchecked
	config.HostKeyCallback = hosts
}

func tokens(text string, key []byte, token *jwt.Token) {
	// ruleid: parapet.go.jwt-unverified
	parser.ParseUnverified(text, claims)
	// ruleid: parapet.go.jwt-unverified
	jwt.NewWithClaims(jwt.SigningMethodNone, claims)
	// ok: parapet.go.jwt-unverified
	jwt.ParseWithClaims(text, claims, keyOf)
	// ok: parapet.go.jwt-unverified
	jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	// ruleid: parapet.go.jwt-hard-coded-key
	token.SignedString([]byte("correct horse"))
	jwt.Parse(text, func(token *jwt.Token) (interface{}, error) {
		// ruleid: parapet.go.jwt-hard-coded-key
		return []byte("correct horse"), nil
	})
	// ok: parapet.go.jwt-hard-coded-key
	token.SignedString(key)
	jwt.Parse(text, func(token *jwt.Token) (interface{}, error) {
		// ok: parapet.go.jwt-hard-coded-key
		return key, nil
	})
}

func ciphers(key, nonce, given []byte, block cipher.Block, gcm cipher.AEAD, mac hash.Hash) {
	// ruleid: parapet.go.small-rsa-key
	rsa.GenerateKey(rand.Reader, 1024)
	// ruleid: parapet.go.small-rsa-key
	rsa.GenerateKey(rand.Reader, 512)
	// ok: parapet.go.small-rsa-key
	rsa.GenerateKey(rand.Reader, 3072)
	// ok: parapet.go.small-rsa-key
	rsa.GenerateKey(rand.Reader, bits)
	// ruleid: parapet.go.constant-nonce
	gcm.Seal(nil, []byte("0123456789ab"), text, nil)
	// ruleid: parapet.go.constant-nonce
	cipher.NewCBCEncrypter(block, make([]byte, 16))
	// ok: parapet.go.constant-nonce
	gcm.Seal(nil, nonce, text, nil)
	// ok: parapet.go.constant-nonce
	cipher.NewCBCEncrypter(block, nonce)
	// ruleid: parapet.go.hard-coded-cipher-key
	aes.NewCipher([]byte("0123456789abcdef"))
	// ruleid: parapet.go.hard-coded-cipher-key
	hmac.New(sha256.New, []byte("correct horse"))
	// ok: parapet.go.hard-coded-cipher-key
	aes.NewCipher(key)
	// ok: parapet.go.hard-coded-cipher-key
	hmac.New(sha256.New, key)
	// ruleid: parapet.go.signature-compared-by-time
	if bytes.Equal(mac.Sum(nil), given) {
		return
	}
	// ruleid: parapet.go.signature-compared-by-time
	if hex.EncodeToString(mac.Sum(nil)) != string(given) {
		return
	}
	// ok: parapet.go.signature-compared-by-time
	if hmac.Equal(mac.Sum(nil), given) {
		return
	}
	// ok: parapet.go.signature-compared-by-time
	if bytes.Equal(key, given) {
		return
	}
}

func files(folder string, archive *zip.Reader) {
	// ruleid: parapet.go.world-writable-file
	os.WriteFile("data", nil, 0666)
	// ruleid: parapet.go.world-writable-file
	os.MkdirAll("data", 0o777)
	// ok: parapet.go.world-writable-file
	os.WriteFile("data", nil, 0600)
	// ok: parapet.go.world-writable-file
	os.MkdirAll("data", 0755)
	for _, file := range archive.File {
		// ruleid: parapet.go.zip-slip
		write(filepath.Join(folder, file.Name))
	}
	for _, file := range archive.File {
		if !filepath.IsLocal(file.Name) {
			return
		}
		// ok: parapet.go.zip-slip
		write(filepath.Join(folder, file.Name))
	}
}

func untar(folder string, reader *tar.Reader) {
	header, err := reader.Next()
	check(err)
	// ruleid: parapet.go.zip-slip
	write(filepath.Join(folder, header.Name))
	// ok: parapet.go.zip-slip
	write(filepath.Join(folder, "fixed"))
}

func cookies() {
	// ruleid: parapet.go.cookie-not-secure
	cookie := http.Cookie{Name: "session", Secure: false}
	// ruleid: parapet.go.cookie-not-secure
	other := &http.Cookie{Name: "session", HttpOnly: false, Secure: true}
	// ok: parapet.go.cookie-not-secure
	good := http.Cookie{Name: "session", Secure: true, HttpOnly: true}
	// ok: parapet.go.cookie-not-secure
	theme := http.Cookie{Name: "theme"}
	use(cookie, other, good, theme)
	// ruleid: parapet.go.cors-any-origin-credentials
	router.Use(cors.New(cors.Config{AllowAllOrigins: true, AllowCredentials: true}))
	// ruleid: parapet.go.cors-any-origin-credentials
	cors.New(cors.Options{AllowedOrigins: []string{"*"}, AllowCredentials: true})
	// ok: parapet.go.cors-any-origin-credentials
	cors.New(cors.Options{AllowedOrigins: []string{"https://example.com"}, AllowCredentials: true})
	// ok: parapet.go.cors-any-origin-credentials
	cors.New(cors.Options{AllowedOrigins: []string{"*"}})
}

// ruleid: parapet.go.websocket-any-origin
var upgrader = websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return true }}

// ok: parapet.go.websocket-any-origin
var careful = websocket.Upgrader{CheckOrigin: sameOrigin}

func sockets(w http.ResponseWriter, r *http.Request) {
	// ruleid: parapet.go.websocket-any-origin
	websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	// ok: parapet.go.websocket-any-origin
	websocket.Accept(w, r, nil)
}

func main() {
	// ruleid: parapet.go.pprof-on-public-port
	go http.ListenAndServe(":6060", nil)
	// ruleid: parapet.go.pprof-on-public-port
	http.ListenAndServe("0.0.0.0:6060", nil)
	// ok: parapet.go.pprof-on-public-port
	http.ListenAndServe("localhost:6060", nil)
	// ok: parapet.go.pprof-on-public-port
	http.ListenAndServe("127.0.0.1:6060", nil)
	// ruleid: parapet.go.server-without-timeouts
	http.ListenAndServe(":8080", router)
	// ruleid: parapet.go.server-without-timeouts
	http.ListenAndServeTLS(":8443", "cert", "key", router)
	// ok: parapet.go.server-without-timeouts
	server := http.Server{Addr: ":8080", Handler: router, ReadHeaderTimeout: time.Second}
	// ok: parapet.go.server-without-timeouts
	server.ListenAndServe()
}

func find(c *gin.Context, r *http.Request) {
	// ruleid: parapet.go.nosql-injection-request
	users.Find(ctx, bson.M{"$where": "this.name == '" + c.Query("name") + "'"})
	// ruleid: parapet.go.nosql-injection-request
	users.Find(ctx, bson.M{"$where": r.FormValue("where")})
	// ok: parapet.go.nosql-injection-request
	users.Find(ctx, bson.M{"name": c.Query("name")})
	// ok: parapet.go.nosql-injection-request
	users.Find(ctx, bson.M{"$where": "this.a > this.b"})
}
