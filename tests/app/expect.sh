# What the scripts here share: an empty folder to work in, and words for what is expected of a command.
# To be sourced.
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE COMMAND...: runs it, keeps what it prints in out and err.
expect() {
    local code=$1
    shift
    "$@" >out 2>err </dev/null
    local got=$?
    [ $got -eq "$code" ] || { fail "exit code $got instead of $code: $*"; cat out err; }
}

# says FILE TEXT: the file contains the text.
says() {
    grep -qF -- "$2" "$1" || { fail "no \"$2\" in $1 of the last command"; cat "$1"; }
}

silent() {
    [ ! -s "$1" ] || { fail "$1 is not empty"; cat "$1"; }
}
