// What a browser does for its user: it keeps cookies, follows what is not a redirect to the client,
// and sends the forms of the pages.

export class Browser {
  #cookies = new Map();

  constructor(origin) {
    this.origin = origin;
  }

  // Opens a page, logs in and consents; answers the URL at which the client is called back.
  async authorize(url, name, password) {
    let page = await this.#open(url);
    page = await this.#submit(page, { name, password });
    page = await this.#submit(page, { decision: "approve" });
    if (!page.calledBack) throw new Error(`the client was not called back: ${page.html}`);
    return page.calledBack;
  }

  async #open(url, options = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...options.headers, cookie };
    const answer = await fetch(url, { ...options, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = set.match(/^([^=]+)=([^;]*)/);
      this.#cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (!location) return { html: await answer.text(), url };
    const next = new URL(location, url);
    if (next.origin !== this.origin) return { calledBack: next };
    return this.#open(next);
  }

  // Sends the first form of a page with its hidden fields and these.
  #submit({ html, url }, fields) {
    const form = html?.match(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/);
    if (!form) throw new Error(`the page has no form: ${html}`);
    const body = new URLSearchParams();
    for (const input of form[2].matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
      body.set(input[1], input[2]);
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.#open(new URL(form[1], url), { method: "POST", body });
  }
}
