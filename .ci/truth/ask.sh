# What `run` does with each version of a service that is at `base`.

# Keeps the documents of a version, which must be sound.
describe() {
    local version=$1
    curl -sSf "$base/api/$version/openapi.json" -o "openapi-$version.json"
    curl -sSf "$base/api/$version/openapi-3.0.json" -o "openapi-3.0-$version.json"
    curl -sSf "$base/api/$version/openapi-client.json" -o "openapi-client-$version.json"
    curl -sSf "$base/api/$version/openapi-client-3.0.json" -o "openapi-client-3.0-$version.json"
    tools/bin/python -m openapi_spec_validator --validation-errors all \
        openapi-{,3.0-,client-,client-3.0-}"$version.json"
}

# ask VERSION CASES [OPTION...]: asks a version in at least so many cases, with these options, as its `document` says, which
# is `openapi` unless it is set.
# The report is kept, so that the summary can be read: how many cases there were is a part of the promise.
# Health checks are about how fast cases are made up. A request is repeated where its connection was
# idle for so long that the service closed it at that moment. One worker: Python 3.11 trips over two
# that parse at once.
ask() {
    local version=$1 least=$2 file=${document:-openapi} operations cases
    # Of each operation so many that they are enough together, whatever a service has: half as many
    # again, because an operation that has few different requests is asked less often.
    operations=$(grep -o '"operationId"' "$file-$version.json" | wc -l)
    tools/bin/schemathesis run "$base/api/$version/$file.json" "${@:3}" \
        --checks all --phases examples,coverage,fuzzing,stateful \
        --max-examples $((least * 3 / 2 / operations)) \
        --suppress-health-check all --request-retries 2 \
        --workers 1 --seed 1 --continue-on-failure --no-color >report ||
        { cat report; fail "version $version does not answer as $file.json says"; }
    cases=$(sed -n 's/^ *\([0-9,]*\) generated, .* passed.*/\1/p' report | tr -d ,)
    [ "${cases:-0}" -ge "$least" ] || { cat report; fail "only ${cases:-0} cases of version $version"; }
    echo "Schemathesis: $cases cases of version $version passed, as $file.json says"
}
