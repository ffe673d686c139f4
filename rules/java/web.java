package target;

import java.io.FileInputStream;
import java.io.PrintWriter;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.io.FilenameUtils;
import org.owasp.encoder.Encode;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestTemplate;

class Web {
    void download(HttpServletRequest request) throws Exception {
        String name = request.getParameter("name");
        // ruleid: parapet.java.path-traversal-request
        new FileInputStream("/srv/files/" + name);
        // ruleid: parapet.java.path-traversal-request
        Files.readAllBytes(Paths.get("/srv/files", name));
        // ok: parapet.java.path-traversal-request
        new FileInputStream("/srv/files/" + FilenameUtils.getName(name));
        // ok: parapet.java.path-traversal-request
        Files.readAllBytes(Paths.get("/srv/files/list"));
    }

    void checked(@PathVariable String name, Path folder) throws Exception {
        Path path = folder.resolve(name).normalize();
        if (!path.startsWith(folder)) {
            return;
        }
        // ok: parapet.java.path-traversal-request
        Files.readAllBytes(path);
    }

    void echo(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String name = request.getParameter("name");
        // ruleid: parapet.java.xss-response-request
        response.getWriter().println("<p>Hello " + name + "</p>");
        PrintWriter out = response.getWriter();
        // ruleid: parapet.java.xss-response-request
        out.print(name);
        // ok: parapet.java.xss-response-request
        out.print("<p>Hello " + Encode.forHtml(name) + "</p>");
        // ok: parapet.java.xss-response-request
        out.print("<p>Hello</p>");
    }

    String leave(HttpServletRequest request, HttpServletResponse response, @RequestParam String next) throws Exception {
        // ruleid: parapet.java.open-redirect-request
        response.sendRedirect(request.getParameter("next"));
        // ok: parapet.java.open-redirect-request
        response.sendRedirect("/people/" + request.getParameter("name"));
        // ok: parapet.java.open-redirect-request
        response.sendRedirect("/");
        // ruleid: parapet.java.open-redirect-request
        return "redirect:" + next;
    }

    void fetch(@RequestParam String url, RestTemplate client) throws Exception {
        // ruleid: parapet.java.ssrf-request
        new URL(url).openStream();
        // ruleid: parapet.java.ssrf-request
        client.getForObject("https://" + url, String.class);
        // ok: parapet.java.ssrf-request
        client.getForObject("https://api.example.com/items/" + url, String.class);
        // ok: parapet.java.ssrf-request
        client.getForObject("https://api.example.com/items/{item}", String.class, url);
    }

    void remember(HttpServletResponse response, String text) {
        Cookie cookie = new Cookie("session", text);
        Cookie session = new Cookie("id", text);
        // ruleid: parapet.java.cookie-without-secure
        cookie.setSecure(false);
        // ruleid: parapet.java.cookie-without-secure
        session.setSecure(false);
        // ok: parapet.java.cookie-without-secure
        cookie.setSecure(true);
        // ok: parapet.java.cookie-without-secure
        session.setSecure(true);
        response.addCookie(cookie);
    }
}
