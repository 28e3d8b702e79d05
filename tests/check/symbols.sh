#!/bin/bash
# The library exports pli_ symbols only, and inside it nothing without that prefix is linkable.
# usage: symbols.sh LIBPLIANT_SO ARCHIVE...
set -u
library=$1
shift
bad=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(pli_|__|_init$|_fini$|_edata$|_end$)/ {print $3}')
inside=$(for archive in "$@"; do nm --defined-only "$archive" 2> /dev/null; done |
    awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(pli_|__|_)/ {print $3}' | sort -u)
[ -n "$bad" ] && { echo "exported without pli_:"; echo "$bad"; }
[ -n "$inside" ] && { echo "linkable without pli_:"; echo "$inside"; }
count=$(nm -D --defined-only "$library" | grep -c ' pli_')
[ "$count" -gt 20 ] || { echo "only $count symbols exported"; exit 1; }
[ -z "$bad$inside" ] && echo "$count symbols, all pli_"
