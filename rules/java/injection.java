package target;

import java.io.FileInputStream;
import java.io.ObjectInputStream;
import javax.script.ScriptEngine;
import javax.servlet.http.HttpServletRequest;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLInputFactory;
import org.springframework.expression.ExpressionParser;
import org.springframework.web.bind.annotation.RequestParam;

class Injection {
    void ping(HttpServletRequest request) throws Exception {
        String host = request.getParameter("host");
        // ruleid: parapet.java.command-injection-request
        Runtime.getRuntime().exec("ping -c 1 " + host);
        // ruleid: parapet.java.command-injection-request
        new ProcessBuilder("sh", "-c", "ping -c 1 " + host).start();
        // ok: parapet.java.command-injection-request
        new ProcessBuilder("ping", "-c", "1", host).start();
        // ok: parapet.java.command-injection-request
        Runtime.getRuntime().exec("ping -c " + Integer.parseInt(request.getParameter("times")));
    }

    void calculate(@RequestParam String formula, ScriptEngine engine, ExpressionParser parser) throws Exception {
        // ruleid: parapet.java.code-injection-request
        engine.eval(formula);
        // ruleid: parapet.java.code-injection-request
        parser.parseExpression("#" + formula);
        // ok: parapet.java.code-injection-request
        engine.eval("1 + 1");
        // ok: parapet.java.code-injection-request
        parser.parseExpression("name");
    }

    void restore(HttpServletRequest request) throws Exception {
        // ruleid: parapet.java.unsafe-deserialization-request
        new ObjectInputStream(request.getInputStream()).readObject();
        byte[] bytes = request.getInputStream().readAllBytes();
        // ruleid: parapet.java.unsafe-deserialization-request
        new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
        // ok: parapet.java.unsafe-deserialization-request
        new ObjectInputStream(new FileInputStream("/var/lib/app/state")).readObject();
        // ok: parapet.java.unsafe-deserialization-request
        new ObjectMapper().readValue(request.getInputStream(), Order.class);
    }

    void parse(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // ruleid: parapet.java.xml-external-entities
        factory.newDocumentBuilder().parse(text);
    }

    void parseSafely(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        // ok: parapet.java.xml-external-entities
        factory.newDocumentBuilder().parse(text);
    }

    void stream(java.io.Reader reader) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        // ruleid: parapet.java.xml-external-entities
        factory.createXMLStreamReader(reader);
    }

    void streamSafely(java.io.Reader reader) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        // ok: parapet.java.xml-external-entities
        factory.createXMLStreamReader(reader);
    }
}
