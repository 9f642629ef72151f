// The metrics of the service, from the text that Prometheus reads.

const LINE = /^([a-z_]+)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} ([0-9.e+-]+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** The series of a text, each with its name, labels and value. */
function* series(text) {
  for (const line of text.split("\n")) {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    if (name)
      yield {
        name,
        labels: Object.fromEntries([...labels.matchAll(LABEL)].map((it) => it.slice(1))),
        value: Number(value),
      };
  }
}

const DURATION = "http_server_request_duration_seconds";

/** The requests, seconds and errors so far, by resource and version. */
export function totals(text) {
  const all = new Map();
  for (const { name, labels, value } of series(text)) {
    if (!name.startsWith(DURATION) || !labels.resource) continue;
    const key = `${labels.resource} ${labels.version}`;
    const total = all.get(key) ?? { requests: 0, seconds: 0, errors: 0 };
    if (name === `${DURATION}_count`) {
      total.requests += value;
      if (labels.http_response_status_code?.startsWith("5")) total.errors += value;
    }
    if (name === `${DURATION}_sum`) total.seconds += value;
    all.set(key, total);
  }
  return all;
}

/** The requests and errors a second, and the mean milliseconds, between two totals that are `seconds` apart. */
export function rates(before, now, seconds) {
  const of = ([key, total]) => {
    const old = before.get(key) ?? { requests: 0, seconds: 0, errors: 0 };
    // A service that has started anew counts from nothing.
    const requests = Math.max(0, total.requests - old.requests);
    const rate = {
      requests: requests / seconds,
      errors: Math.max(0, total.errors - old.errors) / seconds,
      milliseconds: requests > 0 ? ((total.seconds - old.seconds) / requests) * 1000 : 0,
    };
    return [key, rate];
  };
  return new Map([...now].map(of));
}
