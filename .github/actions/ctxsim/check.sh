#!/usr/bin/env bash
# Runs the check and writes its reports. The exit status goes to the outputs: a check that failed must still be commented on.
set -uo pipefail

# As in the marker of the comment: a slash names a folder that is not there, and a line break would be an output of its own.
name="$(printf '%s' "$CTXSIM_NAME" | tr -cs 'A-Za-z0-9_.' '-')"
report="$RUNNER_TEMP/ctxsim-$name.github.md"
json="$RUNNER_TEMP/ctxsim-$name.json"
table="$RUNNER_TEMP/ctxsim-$name.txt"
errors="$RUNNER_TEMP/ctxsim-$name.errors"
rm -f "$report" "$json" "$table"

args=(check --name "$CTXSIM_NAME" -o "$report" -o "$json" -o "$table")
# Adds every line of a text, each behind a flag where one is given.
add_lines() {
  while IFS= read -r line; do
    [ -n "$line" ] && args+=(${2:+"$2"} "$line")
  done <<<"$1"
}
add_lines "$CTXSIM_POLICY" --policy
add_lines "$CTXSIM_AGAINST" --against
add_lines "$CTXSIM_MAX_INCREASE" --max-increase
add_lines "$CTXSIM_MAX" --max
add_lines "$CTXSIM_ARGS"
# A path is no flag: one that is called --update would take whatever it costs for the reference.
args+=(--)
add_lines "$CTXSIM_PATHS"

if [ -n "$CTXSIM_COMMAND" ]; then
  read -ra command <<<"$CTXSIM_COMMAND"
else
  root="$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)"
  # Installing builds it as well.
  [ -f "$root/dist/cli/main.js" ] || (cd "$root" && npm ci --no-audit --no-fund >&2) || exit 2
  command=(node "$root/dist/cli/main.js")
fi

status=0
"${command[@]}" "${args[@]}" 2>"$errors" || status=$?
cat "$errors" >&2
[ -f "$table" ] && cat "$table"

if [ ! -f "$report" ]; then
  printf '<!-- ctxsim:%s -->\n\n**ctxsim could not answer.**\n\n~~~text\n%s\n~~~\n' "$name" "$(head -c 20000 "$errors")" >"$report"
fi
{
  echo "status=$status"
  echo "report=$report"
  echo "json=$json"
} >>"$GITHUB_OUTPUT"
