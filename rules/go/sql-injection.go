package target

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"
)

const people = "select * from people"

func search(db *sql.DB, w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	// ruleid: parapet.go.sql-injection-request, parapet.go.sql-injection-format
	db.Query("select * from people where name = '" + name + "'")
	// ruleid: parapet.go.sql-injection-request, parapet.go.sql-injection-format
	db.QueryContext(r.Context(), fmt.Sprintf("select * from people where name = '%s'", r.URL.Query().Get("name")))
	// ok: parapet.go.sql-injection-request, parapet.go.sql-injection-format
	db.Query("select * from people where name = $1", name)
	id, err := strconv.Atoi(r.PathValue("id"))
	// ok: parapet.go.sql-injection-request, parapet.go.sql-injection-format
	db.Query(fmt.Sprintf("select * from people where id = %d", id))
	// ruleid: parapet.go.sql-injection-request
	db.Exec(r.PostFormValue("sql"), err)
}

func remove(db *sql.DB, name string) {
	statement := fmt.Sprintf("delete from people where name = '%s'", name)
	// ruleid: parapet.go.sql-injection-format
	db.Exec(statement)
	// ok: parapet.go.sql-injection-format
	db.Exec("delete from people where name = $1", name)
	// ok: parapet.go.sql-injection-format
	db.Exec("select 1 " + "from people")
	// ok: parapet.go.sql-injection-format
	db.Query(people)
}

func names(c *gin.Context) {
	// ok: parapet.go.sql-injection-request
	name := c.Query("name")
	people.Find(name)
}
