#!/bin/bash
# The library exports pli_ symbols only, and inside it nothing without that prefix is linkable. The
# command has no copy of what the library exports. usage: symbols.sh LIBPLIANT_SO COMMAND ARCHIVE...
set -u
library=$1 command=$2
shift 2
bad=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(pli_|__|_init$|_fini$|_edata$|_end$)/ {print $3}')
inside=$(for archive in "$@"; do nm --defined-only "$archive" 2> /dev/null; done |
    awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(pli_|__|_)/ {print $3}' | sort -u)
[ -n "$bad" ] && { echo "exported without pli_:"; echo "$bad"; }
[ -n "$inside" ] && { echo "linkable without pli_:"; echo "$inside"; }
copies=$(comm -12 <(nm -D --defined-only "$library" | awk '{print $3}' | grep ^pli_ | sort) \
    <(nm --defined-only "$command" | awk '{print $3}' | sort))
[ -n "$copies" ] && { echo "exported by the library and also in the command:"; echo "$copies"; }
count=$(nm -D --defined-only "$library" | grep -c ' pli_')
[ "$count" -gt 20 ] || { echo "only $count symbols exported"; exit 1; }
[ -z "$bad$inside$copies" ] && echo "$count symbols, all pli_"
