// Small parts that several pages share.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor.js";
import { Exact, stringify } from "./json.js";
import { within } from "./settings.js";

/** A value as text. */
export function shown(value) {
  if (value === undefined || value === null) return "";
  if (typeof value === "object" && !(value instanceof Exact)) return stringify(value);
  return String(value);
}

/** A number of items, in groups of three digits. */
export const count = (number) => Number(number).toLocaleString("en");

/** Sentences of the service, in which names stand in backticks. */
export function Prose({ text }) {
  return (text ?? "").split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** An error, with its page. */
export function Failed({ error }) {
  return html`
    <div class="failed" role="alert">
      ${error.status === 401 && html`<p>Log in, at the top of the page.</p>`}
      <p class=${error.status === 401 ? "quiet" : undefined}><${Prose} text=${error.message} /></p>
      ${error.code && html`<p class="quiet"><a href=${within(`/errors/${error.code}`)} target="_blank">Error ${error.code}</a></p>`}
    </div>
  `;
}

/** Milliseconds for which a notice is shown. */
const SHOWN = 3000;

let show = () => {};

/** Tells the person what has been done; without a text, what was told before is over. */
export const notify = (text) => show(text && { text });

/** The notice of what was done last. */
export function Notice() {
  const [notice, setNotice] = useState();
  show = setNotice;
  useEffect(() => {
    const timer = setTimeout(() => setNotice(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [notice]);
  return html`<div role="status" class=${notice ? "notice" : "hidden"}>${notice?.text}</div>`;
}

/** A button that copies a text. */
export function Copy({ text, children }) {
  const copy = async () => {
    // Without TLS, browsers have no clipboard, but on the machine itself.
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    notify(isCopied ? "Copied" : "The browser refuses to copy.");
  };
  return html`<button type="button" class="quiet" onClick=${copy}>${children}</button>`;
}

/** A dialog over the page. When it closes, the browser returns the focus to where it was. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef();
  // At once, so that the next key that is pressed is for the dialog.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened.showModal();
    // One that goes while it is open gives the focus back. One that was closed before does not, as the person may have gone on.
    return () => opened.close();
  }, []);
  // The event may come when the dialog is gone: then it tells nobody.
  const closed = () => dialog.current && onClose();
  return html`
    <dialog ref=${dialog} aria-label=${title} onClose=${closed}>
      <div class="heading">
        <h2>${title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick=${() => dialog.current.close()}>×</button>
      </div>
      ${children}
    </dialog>
  `;
}
