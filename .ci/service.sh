# Starts and stops a service in a temporary folder of its own. Sourced by the scripts beside it, with
# the path of the binary as their first argument.
binary=$(realpath "$1")
folder=$(mktemp -d)
process=
stop() {
    [ -z "$process" ] || kill -9 "$process" 2>/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT
cd "$folder"

fail() { echo "${0##*/}: $*" >&2; exit 1; }

# Starts the service on a free port, with these arguments, and waits for the line that tells where it listens: `base`. It
# has 20 seconds for that, or START_SECONDS.
start() {
    : >listening
    "$binary" --listen 127.0.0.1:0 "$@" >listening &
    process=$!
    local deadline=$((SECONDS + ${START_SECONDS:-20}))
    until grep -q 'listens on' listening; do
        kill -0 "$process" 2>/dev/null || fail "the service ended at its start"
        [ "$SECONDS" -lt "$deadline" ] || fail "the service did not start in time"
        read -rt 0.05 <> <(:) || true
    done
    base=$(sed -n 's/.* listens on //p' listening)
}

# Asks the service to stop, and sees that it does.
finish() {
    kill -TERM "$process"
    wait "$process" || fail "the service did not end well when asked to stop"
    process=
}
