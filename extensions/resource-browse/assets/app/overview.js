// The overview: the resources, and where metrics are served, how often and how fast they are asked for.

import { html, uPlot, useEffect, useRef, useState } from "../vendor.js";
import { label } from "./document.js";
import { rates, totals } from "./metrics.js";
import { Prose } from "./parts.js";
import { link } from "./place.js";
import { settings, within } from "./settings.js";

/** Seconds between two looks at the metrics, and the number of looks that a chart holds. */
const EVERY = 5;
const HELD = 120;
/** The pixels of a chart. */
const HEIGHT = 150;

/** The measures of a chart: the name, words for people, and the unit. */
const MEASURES = [
  ["requests", "Requests", "a second"],
  ["milliseconds", "Mean duration", "milliseconds"],
  ["errors", "Errors of the service", "a second"],
];

/** The path of the metrics, where the service serves them. */
const METRICS = settings.extra_paths.find((it) => it === "/metrics");

export function Overview({ api, at }) {
  const version = at.version;
  return html`
    <h1>${api.title}</h1>
    <p><${Prose} text=${api.description} /></p>
    <ul class="cards">
      ${[...api.resources.values()].map(
        (it) => html`
          <li key=${it.name}>
            <a href=${link({ version, resource: it.name })}>${it.name}</a>
            <p class="quiet"><${Prose} text=${it.description} /></p>
          </li>
        `,
      )}
    </ul>
    ${api.deprecations.length > 0 && html`<${Deprecations} api=${api} version=${version} isAsked=${at.parameters.show === "deprecations"} />`}
    ${METRICS && html`<${Now} />`}
  `;
}

/** The parts of a version that are to go, with what the document says of each. */
function Deprecations({ api, version, isAsked }) {
  const section = useRef();
  useEffect(() => {
    // After the page has gone to its head.
    if (isAsked) requestAnimationFrame(() => section.current?.scrollIntoView());
  }, [isAsked]);
  return html`
    <section ref=${section}>
      <h2>Deprecated in ${version}</h2>
      <dl>
        ${api.deprecations.map(
          ({ resource, attribute, description }) => html`
            <dt><a href=${link({ version, resource })}>${resource}</a>${attribute && `, ${label(attribute)}`}</dt>
            <dd><${Prose} text=${description} /></dd>
          `,
        )}
      </dl>
    </section>
  `;
}

/** The requests of the last minutes: a chart for each measure, and the newest figures. */
function Now() {
  const history = useHistory();
  const newest = history.at(-1)?.rates ?? new Map();
  const keys = [...newest.keys()].filter((key) => history.some((it) => it.rates.get(key)?.requests > 0));
  const none =
    history.length === 0
      ? `The first figures come after ${EVERY} seconds.`
      : "No requests for resources since this page was opened.";
  if (keys.length === 0) return html`<h2>Requests</h2><p class="quiet">${none}</p>`;
  return html`
    <h2>Requests</h2>
    <div class="charts">
      ${MEASURES.map(([name, words, unit]) => html`<${Chart} key=${name} ...${{ name, title: `${words}, ${unit}`, keys, history }} />`)}
    </div>
    <div class="scroll" role="region" aria-label="Requests" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            ${MEASURES.map(([name, words, unit]) => html`<th key=${name} scope="col" class="number">${words}, ${unit}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${keys.map(
            (key, index) => html`
              <tr key=${key}>
                <th scope="row"><span aria-hidden="true" style=${{ color: colour(index) }}>● </span>${key}</th>
                ${MEASURES.map(([name]) => html`<td key=${name} class="number">${newest.get(key)[name].toFixed(2)}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

const lightness = matchMedia("(prefers-color-scheme: dark)").matches ? "72%" : "28%";

/** The colour of a line, far from that of the one before, and from the page's. */
const colour = (index) => `hsl(${(index * 67 + 195) % 360} 60% ${lightness})`;

/** The rates by resource and version, while the page is open. */
function useHistory() {
  const [history, setHistory] = useState([]);
  useEffect(() => {
    let before;
    const look = async () => {
      // Nobody sees the charts of a page in the background.
      if (document.hidden) return;
      const response = await fetch(within(METRICS)).catch(() => undefined);
      if (!response?.ok) return;
      const now = { at: Date.now() / 1000, totals: totals(await response.text()) };
      if (before) {
        const found = { at: now.at, rates: rates(before.totals, now.totals, now.at - before.at) };
        setHistory((all) => [...all, found].slice(-HELD));
      }
      before = now;
    };
    look();
    const timer = setInterval(look, EVERY * 1000);
    return () => clearInterval(timer);
  }, []);
  return history;
}

/** A chart of one measure, with a line for each resource and version. The table beside it is for all readers. */
function Chart({ name, title, keys, history }) {
  const place = useRef();
  const plot = useRef();
  const data = [history.map((it) => it.at), ...keys.map((key) => history.map((it) => it.rates.get(key)?.[name] ?? 0))];
  useEffect(() => {
    const { color, borderTopColor } = getComputedStyle(place.current);
    const axis = { stroke: color, grid: { stroke: borderTopColor, width: 1 }, ticks: { show: false } };
    const series = [{}, ...keys.map((label, index) => ({ label, stroke: colour(index), width: 2 }))];
    const size = { width: place.current.clientWidth, height: HEIGHT };
    const minute = ({ data: [times] }) => [times[0], Math.max(times.at(-1), times[0] + 60)];
    const scales = { x: { range: minute }, y: { range: (_, low, high) => [0, Math.max(high, 1)] } };
    const times = {
      ...axis,
      space: 70,
      values: (_, all) => all.map((it) => new Date(it * 1000).toTimeString().slice(0, 8)),
    };
    const options = { ...size, series, scales, axes: [times, axis], legend: { show: false }, cursor: { show: false } };
    plot.current = new uPlot(options, data, place.current);
    return () => plot.current.destroy();
  }, [keys.join()]);
  useEffect(() => plot.current.setData(data), [history]);
  return html`
    <figure>
      <figcaption>${title}</figcaption>
      <div ref=${place} class="chart" aria-hidden="true"></div>
    </figure>
  `;
}
