#!/bin/sh
# Takes the place of the engine in tests: the same arguments, report and exit status, and one kind of matching.
# The pattern of the first rule is a text; `$X == $X` matches lines with the same word on both sides. A pattern of one
# of these words makes it misbehave: ENDLESS, GREEDY, TALKATIVE, BROKEN.
[ "$1" = -version ] && echo 'semgrep-core version: 9.9.9 (stand-in)' && exit 0
[ "$1" = scan ] || exit 2
while [ $# -gt 2 ]; do
  [ "$1" = --config ] && rule=$2
  shift
done
target=$2
[ "$1" = "$rule" ] || exit 2
pattern=$(sed -n -e 's/^ *- *pattern: *//p' -e 's/^ *pattern: *//p' -e 's/.*"pattern":"\([^"]*\)".*/\1/p' "$rule" | head -n 1)
id=$(sed -n -e 's/^ *- *id: *//p' -e 's/.*"id":"\([^"]*\)".*/\1/p' "$rule" | head -n 1)
case $pattern in
  ENDLESS) while :; do :; done ;;
  GREEDY) exec awk 'BEGIN { text = "x"; while (1) text = text text }' ;;
  TALKATIVE) exec yes ;;
  BROKEN) exit 3 ;;
  '')
    printf '{"version":"9.9.9","results":[],"errors":[{"code":2,"level":"error","type":"Rule parse error",'
    printf '"rule_id":"%s","message":"The rule has no pattern."}],"paths":{"scanned":[]},"skipped_rules":[]}\n' "$id"
    exit 7
    ;;
esac
exec awk -v pattern="$pattern" -v id="$id" -v file="$target" '
  function matches(line) {
    if (pattern != "$X == $X") return index(line, pattern)
    return match(line, /[a-z]+ == [a-z]+/) && split(substr(line, RSTART, RLENGTH), side, " == ") && side[1] == side[2]
  }
  BEGIN { printf "{\"version\":\"9.9.9\",\"results\":[" }
  matches($0) {
    printf "%s{\"check_id\":\"%s\",\"path\":\"%s\",", found++ ? "," : "", id, file
    printf "\"start\":{\"line\":%d,\"col\":1,\"offset\":%d},", NR, offset
    printf "\"end\":{\"line\":%d,\"col\":%d,\"offset\":%d},", NR, length($0) + 1, offset + length($0)
    printf "\"extra\":{\"message\":\"Matches.\",\"metadata\":{},\"severity\":\"ERROR\",\"lines\":\"requires login\"}}"
  }
  { offset += length($0) + 1 }
  END { printf "],\"errors\":[],\"paths\":{\"scanned\":[\"%s\"]},\"skipped_rules\":[]}\n", file }
' "$target"
