// The resources of a version, read from its OpenAPI document.

/** The name of a schema, which is that of a type: `PostalAddress` for the resource `postal_address`. */
const schemaName = (name) =>
  name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The resources of a document, with what the pages show of each; `within` tells the address of a path. */
export function read(document, within = (path) => path) {
  const schemas = document.components?.schemas ?? {};
  const resources = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    const collection = path.replace(/\/\{id\}$/, "");
    const name = Object.values(item).find((it) => it.tags)?.tags[0] ?? "";
    if (!schemas[schemaName(name)]?.["x-key"]) continue;
    const isItem = collection !== path;
    const resource = resources.get(name) ?? resourceOf(name, within(collection), schemas, document);
    // A route of the service's own may stand beside those of a resource.
    if (resource.path !== within(collection)) continue;
    const found = isItem
      ? { retrieve: item.get, update: item.put, delete: item.delete }
      : { list: item.get, create: item.post };
    for (const [word, operation] of Object.entries(found)) {
      if (operation) resource.operations[word] = operation;
    }
    resources.set(name, resource);
  }
  for (const resource of resources.values()) {
    addRelations(resource, schemas, resources);
    addPaths(resource);
  }
  const deprecations = [...resources.values()].flatMap(deprecationsOf);
  return { title: document.info.title, description: document.info.description, resources, deprecations };
}

function resourceOf(name, path, schemas, document) {
  const schema = schemas[schemaName(name)];
  const created = schemas[`${schemaName(name)}Create`];
  const updated = schemas[`${schemaName(name)}Update`];
  // What is written and not read has a place in bodies alone.
  const properties = { ...schema.properties, ...created?.properties, ...updated?.properties, ...schema.properties };
  const attributes = Object.entries(properties)
    .filter(([, it]) => !targetOf(it, schemas))
    .map(([attribute, it]) => attributeOf(attribute, it, schema, created, updated, schemas));
  const tag = document.tags?.find((it) => it.name === name);
  return {
    name,
    path,
    description: tag?.description ?? schema.description ?? "",
    key: schema["x-key"],
    attributes,
    operations: {},
    properties: schema.properties,
    subresources: [],
    collections: [],
    referrers: [],
  };
}

const referenced = (property) => (property.$ref ?? property.anyOf?.find((it) => it.$ref)?.$ref)?.split("/").pop();

/** The items that a property shows; none for a value, of which an enum has a schema of its own. */
function targetOf(property, schemas) {
  const listed = property.properties?.items?.items;
  const name = referenced(listed ?? property);
  return name && !schemas[name]?.enum ? { schema: name, isMany: Boolean(listed) } : undefined;
}

function attributeOf(name, property, read, created, updated, schemas) {
  const choice = schemas[referenced(property)];
  const types = [property.type ?? choice?.type ?? []].flat();
  const body = created?.properties?.[name] ?? updated?.properties?.[name] ?? property;
  // Where more choices may come, only bodies name those that there are.
  const choices = [property, body].map((it) => it.enum ?? schemas[referenced(it)]?.enum).find(Boolean);
  return {
    name,
    types: types.filter((it) => it !== "null"),
    format: property.format,
    isNullable: types.includes("null") || Boolean(property.anyOf?.some((it) => it.type === "null")),
    choices: choices?.filter((it) => it !== null),
    // A paragraph about references is for the query language.
    description: paragraphs(property)
      .filter((it) => !/^Refers to `[^`]+`[.;]/.test(it))
      .join("\n\n"),
    // Whoever names such an attribute without its scope is refused.
    isGuarded: paragraphs(property).some((it) => it.startsWith("Only there with the scope")),
    // What bodies alone tell, such as the value where none is sent.
    remarks: paragraphs(body)
      .filter((it) => !paragraphs(property).includes(it))
      .join(" "),
    isRead: Boolean(read.properties?.[name]) && !property.writeOnly,
    isCreated: Boolean(created?.properties?.[name]),
    isUpdated: Boolean(updated?.properties?.[name]),
    isRequired: Boolean(created?.required?.includes(name)),
    isDeprecated: Boolean(property.deprecated),
    limits: body,
    references: (property["x-references"] ?? []).map((it) => ({ ...it })),
  };
}

/** The deprecated parts of a resource, each with what the document says of it. */
function deprecationsOf({ name, operations, attributes }) {
  const whole = Object.values(operations).find((it) => it.deprecated);
  // The last paragraph tells since when, until when, and what is to be used instead.
  if (whole) return [{ resource: name, description: whole.description.split("\n\n").at(-1) }];
  const parts = attributes.filter((it) => it.isDeprecated);
  return parts.map((it) => ({ resource: name, attribute: it.name, description: it.description }));
}

const paragraphs = ({ description = "" }) => description.split("\n\n").filter(Boolean);

/** Any text: other patterns are those of times. */
const ANY = "^[^\\u0000]*$";

/** The kind of an attribute: of its values, what a person types for one, and what compares them. */
export function kind({ types, choices, format, limits }) {
  if (choices) return "choice";
  if (types.length !== 1 || /object|array/.test(types[0])) return "json";
  if (types[0] !== "string") return types[0];
  if (limits.contentEncoding) return "bytes";
  return format || (limits.pattern ?? ANY) !== ANY ? "form" : "text";
}

/** Tests whether the values of an attribute are numbers. */
export const isNumber = (attribute) => /integer|number/.test(kind(attribute));

/** The characters that the texts of an order may have in a cursor, together. */
const HELD = 1000;

/** Tests whether a list in this order is read by cursors, which hold short texts alone. */
export function hasCursor(resource, order = "") {
  if (!resource.operations.list?.parameters.some((it) => it.name === "cursor")) return false;
  const ordered = order
    .split(",")
    .filter(Boolean)
    .map((it) => it.replace(/^\w+\(|\)$/g, "").trim());
  const lengths = [...new Set([...ordered, ...resource.key])].map((name) => {
    const attribute = resource.attributes.find((it) => it.name === name);
    const isText = !attribute || /text|bytes/.test(kind(attribute));
    return isText ? (attribute?.limits.maxLength ?? Infinity) : 0;
  });
  return lengths.reduce((sum, it) => sum + it, 0) <= HELD;
}

function addRelations(resource, schemas, resources) {
  for (const [name, property] of Object.entries(resource.properties)) {
    const target = targetOf(property, schemas);
    if (!target) continue;
    // Schemas of what is shown within others have the name of the resource before `From`.
    const served = target.schema.replace(/From\d+_\d+$/, "");
    const shown = [...resources.keys()].find((it) => schemaName(it) === served) ?? served;
    const schema = schemas[target.schema];
    const properties = Object.entries(schema?.properties ?? {}).filter(([, it]) => !targetOf(it, schemas));
    const attributes = properties.map(([property, it]) =>
      attributeOf(property, it, schema, undefined, undefined, schemas),
    );
    const relation = { name, target: shown, isRelation: true, attributes };
    resource[target.isMany ? "collections" : "subresources"].push(relation);
  }
  for (const attribute of resource.attributes) {
    for (const reference of attribute.references) {
      reference.pairs = pairsOf(resource, attribute, reference);
      const [first] = reference.pairs;
      if (first.name === attribute.name)
        resources.get(reference.schema)?.referrers.push({ resource, pairs: reference.pairs });
    }
  }
}

/** Marks the attributes that filters know: the document lists them in words, and leaves out what is hidden. */
function addPaths({ operations, attributes, subresources }) {
  const { description = "" } = operations.list?.parameters.find((it) => it.name === "filter") ?? {};
  const paths = new Set(
    [
      ...description
        .split("Paths:")
        .at(-1)
        .matchAll(/`([^`]+)`/g),
    ].map((it) => it[1]),
  );
  for (const attribute of attributes) attribute.isQueried = paths.has(attribute.name);
  for (const { name, attributes } of subresources) {
    for (const attribute of attributes) attribute.isQueried = paths.has(`${name}.${attribute.name}`);
  }
}

/** The texts by which items are searched and told from each other: the first ones. */
export const texts = (resource, count) =>
  resource.attributes.filter((it) => it.isQueried && !it.isGuarded && kind(it) === "text").slice(0, count);

/**
 * The attributes that hold a reference together, each with the property that it holds. Where several hold the same one, and
 * are no subresource, the document does not tell which belong together: then each stands for itself.
 */
function pairsOf(resource, attribute, { schema, property, subresource }) {
  const all = resource.attributes.flatMap(({ name, references }) =>
    references
      .filter((it) => it.schema === schema && it.subresource === subresource)
      .map((it) => ({ name, property: it.property })),
  );
  const isOne = new Set(all.map((it) => it.property)).size === all.length;
  return isOne ? all : [{ name: attribute.name, property }];
}

/** The names of the properties that tell people which item of a relation it is: its key, and the first short texts. */
export function telling(relation, target) {
  const texts = relation.attributes.filter((it) => !it.isGuarded && kind(it) === "text");
  return [...new Set([...(target?.key ?? []), ...texts.slice(0, 2).map((it) => it.name)])];
}

/** The relation by which a reference is expanded, for the first of the attributes that hold it. */
export function expansionOf(resource, attribute) {
  const reference = attribute.references?.find((it) => it.subresource && it.pairs[0].name === attribute.name);
  return reference && resource.subresources.find((it) => it.name === reference.subresource);
}

/** The characters of a text that tell people which item it is. */
const TOLD = 80;

/** The words that tell people which item it is, beside its key. */
export function words(resource, item) {
  const names = texts(resource, 3).map((it) => it.name);
  return names
    .filter((it) => !resource.key.includes(it))
    .map((it) => item[it]?.slice(0, TOLD))
    .filter(Boolean)
    .slice(0, 2)
    .join(" · ");
}

/** Tests whether a list takes a parameter; with `value`, whether it takes that one. */
export function takes(resource, name, value) {
  const parameter = resource.operations.list.parameters.find((it) => it.name === name);
  return parameter && (value === undefined || JSON.stringify(parameter.schema).includes(`"${value}"`));
}

/** The segment of an item's path: the parts of its key, of which the commas between them are no part. */
export function segment(resource, item) {
  const parts = resource.key.map((name) => String(item[name]));
  if (parts.length === 1) return encodeURIComponent(parts[0]);
  const octets = (character) =>
    [...new TextEncoder().encode(character)]
      .map((octet) => `~${octet.toString(16).toUpperCase().padStart(2, "0")}`)
      .join("");
  return parts.map((part) => part.replace(/[^A-Za-z0-9._-]/gu, octets)).join(",");
}

/** Words for people from the name of an attribute. */
export function label(name) {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
