// Shows how to send the request of an operation with curl, from TypeScript and from Python.

// The request of an operation: its method, URL, headers, body, and the header of the credential that it needs.
function sampled(description, path, method) {
  const { [method]: operation, parameters: shared = [] } = description.paths[path];
  const { components, servers } = description;
  // The header `Location` of a new item has the id that the other examples have.
  const { post } = description.paths[path.replace("/{id}", "")] ?? {};
  const id = post?.responses[201]?.headers?.Location?.example?.split("/").pop();
  const values = [...shared, ...(operation.parameters ?? [])].filter((it) => it.required);
  const valueOf = ({ example, examples = {} }) => example ?? Object.values(examples)[0]?.value ?? id ?? "1";
  const filled = values.reduce((all, it) => all.replace(`{${it.name}}`, () => valueOf(it)), path);
  const asked = values.filter((it) => it.in === "query").map((it) => [it.name, valueOf(it)]);
  const query = asked.length > 0 ? `?${new URLSearchParams(asked)}` : "";
  const headers = values.filter((it) => it.in === "header").map((it) => [it.name, valueOf(it)]);
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (type) headers.push(["Content-Type", type]);
  const alternatives = (operation.security ?? []).map((it) => Object.keys(it)[0]);
  // Whoever may go without a credential needs none in a sample.
  const scheme = !alternatives.includes(undefined) && components.securitySchemes?.[alternatives[0]];
  const credential = scheme && (scheme.type === "apiKey" ? [scheme.name, ""] : ["Authorization", "Bearer "]);
  return { method, url: servers[0].url + filled + query, headers, credential, body: content?.example };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, headers, credential, body }) {
  const parts = [`curl ${quoted(url)}`];
  if (method !== "get") parts.push(`-X ${method.toUpperCase()}`);
  if (credential) parts.push(`-H "${credential.join(": ")}$TOKEN"`);
  for (const header of headers) parts.push(`-H ${quoted(header.join(": "))}`);
  if (body) parts.push(`-d ${quoted(JSON.stringify(body, null, 2))}`);
  return parts.join(" \\\n  ");
}

function typescript({ method, url, headers, credential, body }) {
  const all = headers.map(([name, value]) => `    "${name}": ${JSON.stringify(value)},\n`);
  if (credential) all.unshift(`    "${credential[0]}": \`${credential[1]}\${token}\`,\n`);
  const options = [];
  if (method !== "get") options.push(`  method: "${method.toUpperCase()}",\n`);
  if (all.length > 0) options.push(`  headers: {\n${all.join("")}  },\n`);
  if (body) options.push(`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),\n`);
  const rest = options.length > 0 ? `, {\n${options.join("")}}` : "";
  const result = method === "get" ? "await response.json()" : "response.status";
  return `const response = await fetch(${JSON.stringify(url)}${rest});
if (!response.ok) throw new Error(await response.text());
console.log(${result});`;
}

// A JSON value as Python writes it.
function literal(value, indent) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((it) => literal(it, indent)).join(", ")}]`;
  const within = `${indent}    `;
  const members = Object.entries(value).map(([name, it]) => `${within}"${name}": ${literal(it, within)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

function python({ method, url, headers, credential, body }) {
  const all = headers.map(([name, value]) => `        "${name}": ${JSON.stringify(value)},\n`);
  if (credential) all.unshift(`        "${credential[0]}": f"${credential[1]}{token}",\n`);
  const options = [`    ${JSON.stringify(url)},\n`];
  if (all.length > 0) options.push(`    headers={\n${all.join("")}    },\n`);
  if (body) options.push(`    json=${literal(body, "    ")},\n`);
  const result = method === "get" ? "response.json()" : "response.status_code";
  return `import requests

response = requests.${method}(
${options.join("")})
response.raise_for_status()
print(${result})`;
}

const LANGUAGES = { curl, TypeScript: typescript, Python: python };

// A plugin of Swagger UI that shows them above the responses of each operation of a document.
function samples(description) {
  // Who reads one language goes on to read that.
  let last = "curl";
  return ({ React: { createElement, useState } }) => {
    function Samples({ path, method }) {
      const [language, choose] = useState(last);
      const text = LANGUAGES[language](sampled(description, path, method));
      const choice = (name) =>
        createElement("button", {
          key: name,
          type: "button",
          className: "btn",
          "aria-pressed": name === language,
          onClick: () => choose((last = name)),
        }, name);
      return createElement("div", { className: "samples" },
        createElement("div", { className: "opblock-section-header" },
          createElement("h4", { className: "opblock-title" }, "Samples"),
          createElement("div", { className: "languages" }, ...Object.keys(LANGUAGES).map(choice))),
        createElement("pre", { className: "microlight", tabIndex: 0, "aria-label": `Sample in ${language}` }, text));
    }
    const beside = (Responses) => (props) => [
      createElement(Samples, { key: "samples", path: props.path, method: props.method }),
      createElement(Responses, { key: "responses", ...props }),
    ];
    return { wrapComponents: { responses: beside } };
  };
}
