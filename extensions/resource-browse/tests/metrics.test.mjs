// Figures from the text of the metrics.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rates, totals } from "../assets/app/metrics.js";

const NAME = "http_server_request_duration_seconds";
const series = (requests, seconds, errors) => {
  const labels = (status) =>
    `http_request_method="GET",http_route="/api/1.0/a/{id}",http_response_status_code="${status}",operation="list",resource="A",version="1.0"`;
  return [
    `# TYPE ${NAME} histogram`,
    `${NAME}_sum{${labels(200)}} ${seconds}`,
    `${NAME}_count{${labels(200)}} ${requests}`,
    `${NAME}_bucket{le="0.5",${labels(200)}} ${requests}`,
    `${NAME}_count{${labels(503)}} ${errors}`,
    `${NAME}_sum{${labels(503)}} 0.0`,
    `${NAME}_count{http_request_method="GET",http_response_status_code="404"} 9`,
    "http_server_active_requests 1",
    "# EOF",
  ].join("\n");
};

test("totals are those of a resource in a version", () => {
  const all = totals(series(7, "1.5e-1", 2));
  assert.deepEqual([...all], [["A 1.0", { requests: 9, seconds: 0.15, errors: 2 }]]);
});

test("rates are differences by the second", () => {
  const before = totals(series(0, 0, 0));
  const rate = rates(before, totals(series(10, 1, 10)), 5).get("A 1.0");
  assert.deepEqual(rate, { requests: 4, errors: 2, milliseconds: 50 });
  assert.equal(rates(before, before, 5).get("A 1.0").milliseconds, 0);
  // A service that has started anew.
  assert.equal(rates(totals(series(10, 1, 0)), before, 5).get("A 1.0").requests, 0);
  assert.equal(rates(new Map(), totals(series(5, 0, 0)), 5).get("A 1.0").requests, 1);
});
