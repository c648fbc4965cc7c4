#!/bin/sh
# Usage: tool.sh COMMAND
case ${1-} in
  push) echo "pushing" ;;
  status) echo "nothing to do" ;;
  *)
    echo "tool.sh: unknown command: ${1-}" >&2
    exit 2
    ;;
esac
