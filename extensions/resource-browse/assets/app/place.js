// The place that is shown, as the part of the URL behind `#`: the back button works, and a link shows the same.

import { useEffect, useState } from "../vendor.js";

/** The place of a text such as `#/1.0/Person/7?order=asc(id)`. */
function read(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const [version, resource, item] = path.split("/").map(decoded);
  return { version, resource, item: segment(item), parameters: Object.fromEntries(new URLSearchParams(query)) };
}

// A link may lead to no other path than that of an item.
function segment(item) {
  if (/^(\.|%2e){1,2}$/i.test(item ?? "")) return undefined;
  return item?.replace(/[/?#\\]/g, encodeURIComponent);
}

// A person may have typed it.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The link to a place. */
export function link({ version, resource, item, parameters = {} }) {
  const path = [version, resource, item]
    .filter((it) => it !== undefined)
    .map(encodeURIComponent)
    .join("/");
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${path}${query ? `?${query}` : ""}`;
}

/** The parameters with which each list was shown last. */
const lists = new Map();

/** The link to a list as it was shown last: who comes back from an item finds it again. */
export function linkToList(version, resource) {
  return link({ version, resource, parameters: lists.get(`${version}/${resource}`) });
}

/** Shows another place. */
export function go(place) {
  location.hash = link(place);
}

/** The place that is shown. */
export function usePlace() {
  const [place, setPlace] = useState(() => read(location.hash));
  useEffect(() => {
    const moved = () => setPlace(read(location.hash));
    const { version, resource, item, parameters } = place;
    if (item === undefined) lists.set(`${version}/${resource}`, parameters);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, [place]);
  return place;
}
