// The export of a list as a file: the lines that the service writes, batch by batch, so that no limit of a page cuts it.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { send, url } from "./api.js";
import { Failed, count as grouped, notify } from "./parts.js";

/** The formats: the name for people, the media type, the ending of the file, and the lines before the items and of a text. */
const FORMATS = [
  { name: "CSV", accept: "text/csv", ending: "csv", heads: 1, lines: (text) => breaks(text.replace(/"[^"]*"/g, "")) },
  { name: "NDJSON", accept: "application/x-ndjson", ending: "ndjson", heads: 0, lines: (text) => breaks(text) },
];

/** The number of lines. In CSV, texts in quotes hold breaks that end none (RFC 4180). */
const breaks = (text) => text.split("\n").length - 1;

/** The greatest limit that a list allows: a number, or the word for everything, which goes without an order. */
function limitOf(resource, order) {
  const schema = resource.operations.list.parameters.find((it) => it.name === "limit")?.schema ?? {};
  const choices = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])];
  const isWhole = choices.some((it) => it.const === "all" || it.enum?.includes("all"));
  return isWhole && !order ? "all" : choices.map((it) => it.maximum).find(Boolean);
}

/** The lines of all batches, and how many items they are. Those after the first come without the line of names. */
async function* batches(resource, query, { accept, heads, lines }, signal) {
  const limit = limitOf(resource, query.order);
  for (let offset = 0, isWhole = false; !isWhole; offset += limit) {
    const path = url(resource.path, { ...query, limit, offset: offset || undefined });
    const { response } = await send("GET", path, { accept, signal });
    const text = await response.text();
    const count = lines(text) - heads;
    yield { text: offset === 0 || heads === 0 ? text : text.slice(text.indexOf("\n") + 1), count };
    isWhole = limit === "all" || count < limit;
  }
}

/** Lets the browser save a text as a file. */
function save(name, parts, type) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob(parts, { type }));
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}

export function Export({ resource, filter, order, fields }) {
  const [error, setError] = useState();
  const [running, setRunning] = useState();
  const stop = useRef();
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (format) => {
    stop.current = new AbortController();
    setError(undefined);
    setRunning(0);
    try {
      const parts = [];
      let total = 0;
      for await (const { text, count } of batches(resource, { filter, order, fields }, format, stop.current.signal)) {
        parts.push(text);
        total += count;
        setRunning(total);
      }
      notify(`${grouped(total)} items are exported`);
      save(`${resource.name}.${format.ending}`, parts, format.accept);
    } catch (failure) {
      if (failure.name !== "AbortError") setError(failure);
    }
    setRunning(undefined);
  };
  if (running !== undefined) {
    return html`
      <span role="status" class="quiet">${running} items…</span>
      <button type="button" class="quiet" onClick=${() => stop.current.abort()}>Stop the export</button>
    `;
  }
  return html`
    ${FORMATS.map(
      (format) =>
        html`<button type="button" class="quiet" key=${format.name} onClick=${() => start(format)}>Export ${format.name}</button>`,
    )}
    ${error && html`<${Failed} error=${error} />`}
  `;
}
