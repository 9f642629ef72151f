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

const LOG_IN = "Log in at the authorization server. It asks you what of this the reference may do on your behalf.";

// People log in where a client is known for that: by an authorization code, since other flows are not for them. Else
// who has a token tries it here: to get one leads to other sites, where this page may not send requests.
function authorizing(description) {
  const schemes = description.components.securitySchemes ?? {};
  const flow = schemes.oauth2?.flows.authorizationCode;
  const isByCode = flow && place.dataset.client;
  const unused = isByCode ? "bearer" : "oauth2";
  if (isByCode) schemes.oauth2 = { ...schemes.oauth2, description: LOG_IN, flows: { authorizationCode: flow } };
  delete schemes[unused];
  for (const operation of operationsOf(description).filter(({ security }) => security)) {
    operation.security = operation.security.filter((scheme) => !(unused in scheme));
  }
  return description;
}

// Goes on with the log-in when its window tells what the authorization server has answered.
function awaitLogIn() {
  new BroadcastChannel("api-reference").onmessage = ({ data }) => {
    const pending = window.swaggerUIRedirectOauth2;
    // Another page may have begun this log-in.
    if (pending?.state !== data.state) return;
    delete window.swaggerUIRedirectOauth2;
    const { auth, redirectUrl, callback, errCb } = pending;
    const message = data.error_description ?? data.error;
    if (data.code) callback({ auth: { ...auth, code: data.code }, redirectUrl });
    else errCb({ authId: auth.name, source: "auth", level: "error", message });
  };
}

// A header that would make browsers ask an authorization server elsewhere for leave first.
function withoutMark(request) {
  delete request.headers?.["X-Requested-With"];
  return request;
}

// Swagger UI fills in the first example of a parameter: where none is needed, that is not to send it.
function unfilled(description) {
  const parameters = operationsOf(description).flatMap((operation) => operation.parameters ?? []);
  for (const parameter of parameters.filter(({ examples, required }) => examples && !required)) {
    parameter.examples = { none: { summary: "none", value: "" }, ...parameter.examples };
  }
  return description;
}

// What Swagger UI lacks, above all for those who listen to a page: landmarks around all of it, a heading between that of the page
// and those of the resources, names of choices and buttons, and no link within the button that opens an operation.
function accessible({ React: { createElement, useEffect, useLayoutEffect, useRef } }) {
  const unseen = (element, text) => createElement(element, { className: "unseen" }, text);
  const within = (attributes) => (Part) => (props) => createElement("section", attributes, createElement(Part, props));
  return {
    wrapComponents: {
      errors: within({ "aria-label": "Errors" }),
      InfoContainer: within({ "aria-label": "About" }),
      FilterContainer: within({ role: "search", "aria-label": "Operations" }),
      operations: (Part) => (props) =>
        createElement("div", null, unseen("h2", "Operations"), createElement(Part, props)),
      // A modal dialog of the browser keeps the keyboard, and gives it back to what has opened it.
      authorizationPopup: (Part) => (props) => {
        const place = useRef();
        useLayoutEffect(() => {
          const dialog = place.current;
          dialog.showModal();
          dialog.querySelector("input")?.focus();
          return () => dialog.close();
        }, []);
        const onCancel = () => props.authActions.showDefinitions(false);
        const dialog = { ref: place, onCancel, "aria-label": "Authorization" };
        return createElement("dialog", dialog, unseen("h2", "Authorization"), createElement(Part, props));
      },
      CloseIcon: () => () => createElement("span", null, unseen("span", "Close the dialog"), "×"),
      // The text of a button is its name.
      Button: (Part) => ({ "aria-label": _, ...props }) => createElement(Part, props),
      TextArea: (Part) => (props) => createElement(Part, { "aria-label": "Body", ...props }),
      // What is too long for its box can be scrolled by keyboard.
      HighlightCode: (Part) => (props) => {
        const place = useRef();
        useEffect(() => {
          const code = place.current.querySelector("pre");
          if (code.scrollHeight > code.clientHeight) code.tabIndex = 0;
        });
        return createElement("div", { ref: place }, createElement(Part, props));
      },
      ExamplesSelect: (Part) => (props) =>
        createElement("label", null, unseen("span", "Example"), createElement(Part, props)),
      // What needs no credential shows no lock: a closed one would say the opposite.
      OperationSummary: (Part) => ({ operationProps, ...props }) => {
        const isOpen = operationProps.get("security")?.some((alternative) => alternative.isEmpty());
        return createElement(Part, {
          ...props,
          operationProps: isOpen ? operationProps.delete("security") : operationProps,
        });
      },
      OperationSummaryPath: (Part) => ({ operationProps, ...props }) =>
        createElement(Part, { ...props, operationProps: operationProps.set("isDeepLinkingEnabled", false) }),
    },
  };
}

async function show() {
  const answer = await fetch(place.dataset.description);
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const description = authorizing(served(await answer.json()));
  const reference = SwaggerUIBundle({
    domNode: place,
    spec: unfilled(structuredClone(description)),
    plugins: [accessible, samples(description)],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
    filter: true,
    oauth2RedirectUrl: new URL("oauth2-redirect", location.href).href,
    // A token is not kept in the browser's storage, where it would outlive the page.
    persistAuthorization: false,
    requestInterceptor: withoutMark,
    tryItOutEnabled: true,
    // The badge of a validator would send the address of the document to another site.
    validatorUrl: null,
  });
  const { oauth2 } = description.components.securitySchemes ?? {};
  if (!oauth2) return;
  awaitLogIn();
  reference.initOAuth({
    clientId: place.dataset.client,
    scopes: Object.keys(oauth2.flows.authorizationCode.scopes),
    usePkceWithAuthorizationCodeGrant: true,
  });
}

dark.addEventListener("change", followScheme);
followScheme();
show().catch((error) => {
  // What Swagger UI has rendered, if it has, stands in the place of the paragraph.
  const told = place.querySelector("[role=status]") ?? place;
  told.textContent = `The reference could not be loaded: ${error.message}`;
});
