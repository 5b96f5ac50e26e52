#!/usr/bin/env bash
# Runs the check and writes its reports. The exit status goes to the outputs: a check that failed must still be commented on.
set -uo pipefail

report="$RUNNER_TEMP/ctxsim-$CTXSIM_NAME.github.md"
json="$RUNNER_TEMP/ctxsim-$CTXSIM_NAME.json"
table="$RUNNER_TEMP/ctxsim-$CTXSIM_NAME.txt"
errors="$RUNNER_TEMP/ctxsim-$CTXSIM_NAME.errors"
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
  marker="$(sed -E 's/[^A-Za-z0-9_.]+/-/g' <<<"$CTXSIM_NAME")"
  printf '<!-- ctxsim:%s -->\n\n**ctxsim could not answer.**\n\n~~~text\n%s\n~~~\n' "$marker" "$(head -c 20000 "$errors")" >"$report"
fi
{
  echo "status=$status"
  echo "report=$report"
  echo "json=$json"
} >>"$GITHUB_OUTPUT"
