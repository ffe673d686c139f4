package target

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func ping(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	// ruleid: parapet.go.command-injection-request
	exec.Command("sh", "-c", "ping -c 1 "+host)
	// ruleid: parapet.go.command-injection-request
	exec.CommandContext(r.Context(), r.FormValue("program"))
	// ok: parapet.go.command-injection-request
	exec.Command("ping", "-c", "1", host)
	times, _ := strconv.Atoi(r.FormValue("times"))
	// ok: parapet.go.command-injection-request
	exec.Command("sh", "-c", "repeat "+strconv.Itoa(times))
}

func download(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	// ruleid: parapet.go.path-traversal-request
	os.Open(filepath.Join("/srv/files", name))
	// ruleid: parapet.go.path-traversal-request
	http.ServeFile(w, r, "/srv/files/"+r.FormValue("name"))
	// ok: parapet.go.path-traversal-request
	os.Open(filepath.Join("/srv/files", filepath.Base(name)))
	// ok: parapet.go.path-traversal-request
	os.ReadFile("/srv/files/list")
}

func checked(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !filepath.IsLocal(name) {
		return
	}
	// ok: parapet.go.path-traversal-request
	os.Open(filepath.Join("/srv/files", name))
}
