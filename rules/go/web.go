package target

import (
	"fmt"
	"html"
	"html/template"
	"net/http"
	"net/url"
)

func fetch(w http.ResponseWriter, r *http.Request) {
	target := r.FormValue("url")
	// ruleid: parapet.go.ssrf-request
	http.Get(target)
	// ruleid: parapet.go.ssrf-request
	http.NewRequest("GET", fmt.Sprintf("https://%s/status", r.FormValue("host")), nil)
	// ok: parapet.go.ssrf-request
	http.Get(fmt.Sprintf("https://api.example.com/items/%s", r.FormValue("item")))
	// ok: parapet.go.ssrf-request
	http.Get("https://api.example.com/items/" + url.PathEscape(r.FormValue("item")))
}

func leave(w http.ResponseWriter, r *http.Request) {
	// ruleid: parapet.go.open-redirect-request
	http.Redirect(w, r, r.FormValue("next"), http.StatusFound)
	// ruleid: parapet.go.open-redirect-request
	http.Redirect(w, r, r.URL.Query().Get("next"), http.StatusSeeOther)
	// ok: parapet.go.open-redirect-request
	http.Redirect(w, r, "/people/"+r.FormValue("name"), http.StatusFound)
	// ok: parapet.go.open-redirect-request
	http.Redirect(w, r, "/", http.StatusFound)
}

func echo(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	// ruleid: parapet.go.xss-response-request
	fmt.Fprintf(w, "<p>Hello %s</p>", name)
	// ruleid: parapet.go.xss-response-request
	w.Write([]byte("<p>Hello " + name + "</p>"))
	// ruleid: parapet.go.xss-response-request
	page := template.HTML(name)
	// ok: parapet.go.xss-response-request
	fmt.Fprintf(w, "<p>Hello %s</p>", html.EscapeString(name))
	// ok: parapet.go.xss-response-request
	fmt.Fprint(w, "<p>Hello</p>", len(page))
}
