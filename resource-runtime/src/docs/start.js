// Shows the reference of the OpenAPI document that the page names.

const place = document.querySelector("#reference");
const dark = matchMedia("(prefers-color-scheme: dark)");

// Swagger UI has colours for the dark, and leaves it to the page when.
function followScheme() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

// Requests go to the service that this page is from, also where it is known by several names.
function served(description) {
  // Paths in the document begin with a slash, so the URL before them must not end in one.
  const url = new URL("..", location.href).href.replace(/\/$/, "");
  return { ...description, servers: [{ url }] };
}

function operationsOf(description) {
  return Object.values(description.paths).flatMap((path) => Object.values(path));
}

// Who has a token tries it here; to get one leads to other sites, where this page may not send requests.
function takingTokens(description) {
  delete description.components.securitySchemes?.oauth2;
  for (const operation of operationsOf(description).filter(({ security }) => security)) {
    operation.security = operation.security.filter((scheme) => !("oauth2" in scheme));
  }
  return description;
}

// Swagger UI fills in the first example of a parameter: where none is needed, that is not to send it.
function unfilled(description) {
  const parameters = operationsOf(description).flatMap((operation) => operation.parameters ?? []);
  for (const parameter of parameters.filter(({ examples, required }) => examples && !required)) {
    parameter.examples = { none: { summary: "none", value: "" }, ...parameter.examples };
  }
  return description;
}

async function show() {
  const answer = await fetch(place.dataset.description);
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  SwaggerUIBundle({
    domNode: place,
    spec: unfilled(takingTokens(served(await answer.json()))),
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
    filter: true,
    // A token is not kept in the browser's storage, where it would outlive the page.
    persistAuthorization: false,
    tryItOutEnabled: true,
    // The badge of a validator would send the address of the document to another site.
    validatorUrl: null,
  });
}

dark.addEventListener("change", followScheme);
followScheme();
show().catch((error) => {
  place.textContent = `The reference could not be loaded: ${error.message}`;
});
