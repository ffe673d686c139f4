package target;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Random;
import javax.crypto.Cipher;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.X509TrustManager;

class Crypto {
    void encrypt() throws Exception {
        // ruleid: parapet.java.weak-cipher
        Cipher.getInstance("DES/CBC/PKCS5Padding");
        // ruleid: parapet.java.weak-cipher
        Cipher.getInstance("AES/ECB/PKCS5Padding");
        // ruleid: parapet.java.weak-cipher
        Cipher.getInstance("AES");
        // ok: parapet.java.weak-cipher
        Cipher.getInstance("AES/GCM/NoPadding");
        // ok: parapet.java.weak-cipher
        Cipher.getInstance("ChaCha20-Poly1305");
    }

    X509TrustManager trust(X509TrustManager other) {
        HttpsURLConnection.setDefaultHostnameVerifier(other::equals);
        // ruleid: parapet.java.trust-all-certificates
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
        // ok: parapet.java.trust-all-certificates
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> host.equals("example.com"));
        return new X509TrustManager() {
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            // ruleid: parapet.java.trust-all-certificates
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
    }

    class Careful implements X509TrustManager {
        private X509TrustManager other;

        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        // ok: parapet.java.trust-all-certificates
        public void checkServerTrusted(X509Certificate[] chain, String type) throws Exception {
            other.checkServerTrusted(chain, type);
        }

        public X509Certificate[] getAcceptedIssuers() {
            return other.getAcceptedIssuers();
        }
    }

    void draw(Random random) {
        // ruleid: parapet.java.weak-random-token
        String resetToken = Long.toHexString(random.nextLong());
        // ruleid: parapet.java.weak-random-token
        String password = "p" + Math.random();
        // ok: parapet.java.weak-random-token
        int angle = random.nextInt(360);
        SecureRandom secure = new SecureRandom();
        // ok: parapet.java.weak-random-token
        String token = Long.toHexString(secure.nextLong());
    }

    void store(String password, byte[] content) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        // ruleid: parapet.java.fast-password-hash
        digest.digest(password.getBytes());
        // ruleid: parapet.java.fast-password-hash
        digest.digest(user.getPassword().getBytes());
        // ok: parapet.java.fast-password-hash
        digest.digest(content);
        // ok: parapet.java.fast-password-hash
        digest.digest();
    }
}
