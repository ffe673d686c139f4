package target

import (
	"crypto/aes"
	"crypto/des"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"math/rand"

	"golang.org/x/crypto/bcrypt"
)

func client(pool *x509.CertPool, check func([][]byte, [][]*x509.Certificate) error) []*tls.Config {
	return []*tls.Config{
		// ruleid: parapet.go.tls-verification-off
		&tls.Config{InsecureSkipVerify: true},
		// ok: parapet.go.tls-verification-off
		&tls.Config{RootCAs: pool},
		// ok: parapet.go.tls-verification-off
		&tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: check},
		// ruleid: parapet.go.tls-old-version
		&tls.Config{MinVersion: tls.VersionTLS10},
		// ok: parapet.go.tls-old-version
		&tls.Config{MinVersion: tls.VersionTLS13},
	}
}

func loosen(config *tls.Config) {
	// ruleid: parapet.go.tls-verification-off
	config.InsecureSkipVerify = true
	// ruleid: parapet.go.tls-old-version
	config.MinVersion = tls.VersionTLS11
	// ok: parapet.go.tls-old-version
	config.MinVersion = tls.VersionTLS12
}

func encrypt(key []byte) {
	// ruleid: parapet.go.weak-cipher
	des.NewTripleDESCipher(key)
	// ruleid: parapet.go.weak-cipher
	rc4.NewCipher(key)
	// ok: parapet.go.weak-cipher
	aes.NewCipher(key)
	// ok: parapet.go.weak-cipher
	chacha20poly1305.New(key)
}

func store(user *User, password string, content []byte) {
	// ruleid: parapet.go.fast-password-hash
	sha256.Sum256([]byte(password))
	// ruleid: parapet.go.fast-password-hash
	sha256.Sum256([]byte(user.Salt + user.Password))
	// ok: parapet.go.fast-password-hash
	sha256.Sum256(content)
	// ok: parapet.go.fast-password-hash
	bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
}

func draw() (int, int) {
	// ruleid: parapet.go.weak-random-token
	resetToken := rand.Intn(1000000)
	// ruleid: parapet.go.weak-random-token
	password := rand.Int63()
	// ok: parapet.go.weak-random-token
	angle := rand.Intn(360)
	// ok: parapet.go.weak-random-token
	delay := rand.Int63n(1000)
	return resetToken, angle, password, delay
}
