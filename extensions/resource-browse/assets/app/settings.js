// The words of the service about itself, and its choices about these pages.

const given = JSON.parse(document.querySelector('meta[name="settings"]').content);

// The router of the service may be nested below a path that it does not know.
const prefix = location.pathname.endsWith(given.path) ? location.pathname.slice(0, -given.path.length) : "";

/** The address of a path of the service. */
export const within = (path) => (path.startsWith("/") ? prefix + path : path);

/** The settings: root, versions, extra_paths, read_only, client_id, issuer, scopes, log_out. */
export const settings = { ...given, root: within(given.root) };
