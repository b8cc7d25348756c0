#!/bin/sh
# Sends every body in this folder to a running service, with curl, and prints what comes back.
#   ./requests.sh [base URL] [folder or file ...]
# For example: ./requests.sh http://localhost:3000 news2
set -eu
cd "$(dirname "$0")"

base=${1:-http://localhost:3000}
[ "$#" -gt 0 ] && shift
[ "$#" -gt 0 ] || set -- loan-approval loan-approval@* transaction-risk news2 document-access instalment-plan shipping-fee refused

for file in $(find "$@" -type f | sort); do
  folder=${file%/*}
  case $file in
    refused/unknown-decision.json) id=no-such-decision ;;
    refused/unknown-version.json) id=loan-approval/versions/9.0.0 ;;
    refused/retired-version.json) id=loan-approval/versions/1.1.0 ;;
    refused/*) id=loan-approval ;;
    *@*) id=${folder%@*}/versions/${folder#*@} ;;
    *) id=$folder ;;
  esac
  case $file in
    */plain-text.txt) type=text/plain ;;
    *) type=application/json ;;
  esac
  printf '%s\n  ' "$file"
  curl --silent --show-error --max-time 10 --header "content-type: $type" --data-binary "@$file" \
    --write-out '\n  HTTP %{http_code}\n' "$base/decisions/$id"
done
