#!/usr/bin/env bash
# Keeps one comment per check on a pull request: the one that begins with the report's marker is replaced, else one is written.
set -euo pipefail

case "$GITHUB_REF" in
  refs/pull/*) number="${GITHUB_REF#refs/pull/}" && number="${number%%/*}" ;;
  *) echo 'not a pull request: no comment' && exit 0 ;;
esac

IFS= read -r MARKER <"$CTXSIM_REPORT"
export MARKER
comments="repos/$GITHUB_REPOSITORY/issues/$number/comments"
keep_one() {
  local ids id
  ids="$(gh api --paginate "$comments" --jq '.[] | select(.body | startswith(env.MARKER)) | .id')" || return
  id="${ids%%$'\n'*}"
  if [ -n "$id" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$CTXSIM_REPORT" >/dev/null
  else
    gh api --method POST "$comments" -F "body=@$CTXSIM_REPORT" >/dev/null
  fi
}
# A pull request from a fork may not be commented on; that is no reason to fail it.
keep_one || echo '::warning title=ctxsim::The comment could not be written. It needs the permission "pull-requests: write".'
