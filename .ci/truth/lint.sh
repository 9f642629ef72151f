# Two linters of OpenAPI documents, with every rule that they recommend.

# They tell nobody of what they read, and ask nobody for newer ones: no script of a package runs.
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true SCARF_ANALYTICS=false
# Kept from run to run where they can be: installing takes longer than linting.
linters=${CARGO_TARGET_DIR:-$(realpath "$here/../..")/target}/linters

install_linters() {
    mkdir -p "$linters"
    # Of runs beside each other, one installs.
    exec 9>"$linters/lock"
    flock 9
    if ! cmp -s "$here/package-lock.json" "$linters/installed"; then
        cp "$here/package.json" "$here/package-lock.json" "$linters"
        npm ci --silent --ignore-scripts --no-audit --no-fund --prefix "$linters"
        cp "$here/package-lock.json" "$linters/installed"
    fi
    exec 9>&-
}

# lint DOCUMENT...: neither finds anything in them.
lint() {
    "$linters/node_modules/.bin/redocly" lint --config "$here/redocly.yaml" "$@" >report 2>&1 ||
        { cat report; fail "Redocly finds what is not sound"; }
    "$linters/node_modules/.bin/spectral" lint --ruleset "$here/spectral.yaml" \
        --fail-severity hint --quiet "$@" >report 2>&1 ||
        { cat report; fail "Spectral finds what is not sound"; }
    echo "Redocly and Spectral: nothing in $# documents"
}
