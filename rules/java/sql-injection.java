package target;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import javax.persistence.EntityManager;
import javax.servlet.http.HttpServletRequest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

class People {
    private static final String TABLE = "people";
    private JdbcTemplate template;

    void search(HttpServletRequest request, Connection connection, Statement statement) throws Exception {
        String name = request.getParameter("name");
        // ruleid: parapet.java.sql-injection-request, parapet.java.sql-injection-concat
        statement.executeQuery("select * from people where name = '" + name + "'");
        // ruleid: parapet.java.sql-injection-request
        connection.prepareStatement(request.getHeader("statement"));
        // ok: parapet.java.sql-injection-request, parapet.java.sql-injection-concat
        PreparedStatement prepared = connection.prepareStatement("select * from people where name = ?");
        prepared.setString(1, name);
        // ok: parapet.java.sql-injection-request, parapet.java.sql-injection-concat
        statement.executeQuery("select * from people where id = " + Integer.parseInt(request.getParameter("id")));
    }

    Object spring(@RequestParam("name") String name, @PathVariable Long id) {
        // ruleid: parapet.java.sql-injection-request, parapet.java.sql-injection-concat
        template.queryForList("select * from people where name = '" + name + "'");
        // ok: parapet.java.sql-injection-request, parapet.java.sql-injection-concat
        return template.queryForList("select * from people where name = ?", name);
    }

    void remove(Statement statement, EntityManager manager, String name) throws Exception {
        String text = String.format("delete from people where name = '%s'", name);
        // ruleid: parapet.java.sql-injection-concat
        statement.executeUpdate(text);
        // ruleid: parapet.java.sql-injection-concat
        manager.createQuery("from Person where name = '" + name + "'");
        // ok: parapet.java.sql-injection-concat
        statement.executeUpdate("delete from " + TABLE);
        // ok: parapet.java.sql-injection-concat
        manager.createQuery("from Person " + "where name = :name").setParameter("name", name);
    }
}
