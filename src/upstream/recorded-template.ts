/**
 * Templates for simulated answers, made from a provider's recorded answers. A simulator sets only what it plays (time,
 * price, id); everything else is taken from the record. So a simulator cannot leave out what a reader must handle, and
 * cannot have fields that exist only in its author's mind.
 */
export type Template =
  | { readonly is: "value"; readonly value: unknown }
  /** `sometimes`: fields that only some records have; they are never added. */
  | {
      readonly is: "record";
      readonly fields: Readonly<Record<string, Template>>;
      readonly sometimes: readonly string[];
    }
  /** An object whose names are ids, such as pairs or addresses; `fields` are the ordinary names, such as "last". */
  | {
      readonly is: "map";
      readonly item: Template;
      readonly fields: Readonly<Record<string, Template>>;
    }
  | { readonly is: "list"; readonly item: Template | null }
  /** A list whose positions have different meanings. */
  | { readonly is: "tuple"; readonly items: readonly Template[] };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Ids rather than names of fields: an address, a number, a mint, a pair in capitals, or one with a prefix. */
const ID = /^(\w+:[\w.-]+|0x[0-9a-fA-F]{40}|\d+|[1-9A-HJ-NP-Za-km-z]{32,44}|[A-Z0-9]{5,}(\.\w+)?)$/;
/** A concept of US GAAP; an object with only these, and at least three, has ids and not fields. */
const CONCEPT = /^[A-Z][A-Za-z0-9]+$/;
const CONCEPTS_MIN = 3;

/** Which of an object's names are ids. */
function listIds(value: Fields): readonly string[] {
  const keys = Object.keys(value);
  const is_concepts = keys.length >= CONCEPTS_MIN && keys.every((key) => CONCEPT.test(key) && isFields(value[key]));
  if (is_concepts || keys.every((key) => ID.test(key))) return keys;
  // Beside fields, only a name with an object or list is an id, because short codes in capitals may be fields too.
  return keys.filter((key) => ID.test(key) && typeof value[key] === "object");
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return "list";
  return isFields(value) ? "record" : "value";
};

/** Items of one kind are rows. Objects, lists and plain values side by side have a meaning by position. */
const isTuple = (items: readonly unknown[]): boolean =>
  new Set(items.filter((item) => item !== null).map(kindOf)).size > 1;

/** The template of one recorded JSON value. */
export function toTemplate(value: unknown): Template {
  if (Array.isArray(value)) {
    if (isTuple(value)) return { is: "tuple", items: value.map(toTemplate) };
    return { is: "list", item: value.length === 0 ? null : value.map(toTemplate).reduce(mergeTemplates) };
  }
  if (!isFields(value)) return { is: "value", value };
  const ids = listIds(value);
  const fields = Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (ids.includes(name) ? [] : [[name, toTemplate(one)]])),
  );
  if (ids.length === 0) return { is: "record", fields, sometimes: [] };
  return { is: "map", item: ids.map((id) => toTemplate(value[id])).reduce(mergeTemplates), fields };
}

/** Merges two templates: a member of only one becomes optional. Of two kinds the first stays; null gives in. */
export function mergeTemplates(a: Template, b: Template): Template {
  if (a.is === "value" && a.value === null) return b;
  if (a.is === "record" && b.is === "record") {
    const names = [...new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])];
    const fields = names.map((name) => {
      const [in_a, in_b] = [a.fields[name], b.fields[name]];
      const merged = in_a && in_b ? mergeTemplates(in_a, in_b) : (in_a ?? in_b);
      return [name, merged as Template] as const;
    });
    const inBoth = (name: string) => Object.hasOwn(a.fields, name) && Object.hasOwn(b.fields, name);
    const sometimes = names.filter((name) => !inBoth(name) || a.sometimes.includes(name) || b.sometimes.includes(name));
    return { is: "record", fields: Object.fromEntries(fields), sometimes };
  }
  if (a.is === "map" && b.is === "map") {
    return { is: "map", item: mergeTemplates(a.item, b.item), fields: { ...b.fields, ...a.fields } };
  }
  if (a.is === "list" && b.is === "list") {
    return { is: "list", item: a.item && b.item ? mergeTemplates(a.item, b.item) : (a.item ?? b.item) };
  }
  // In rows of numbers and texts, a position may have either.
  if (a.is === "value" && b.is === "value" && typeof a.value !== typeof b.value) return { is: "value", value: null };
  return a;
}

const restoreFields = (fields: Readonly<Record<string, Template>>, without: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (without.includes(name) ? [] : [[name, restore(field)]])),
  );

/** The recorded value, for members that the simulator leaves out. */
function restore(template: Template): unknown {
  switch (template.is) {
    case "value":
      return template.value;
    case "record":
      return restoreFields(template.fields, template.sometimes);
    case "map":
      return restoreFields(template.fields);
    // Recorded rows are of another market, so a list without simulated rows stays empty.
    case "list":
      return [];
    case "tuple":
      return template.items.map(restore);
  }
}

/** Completes a simulated value from the record. A field set to `undefined` is left out. */
export function fillIn(template: Template, played: unknown): unknown {
  if (Array.isArray(played)) {
    if (template.is === "tuple") {
      return played.map((one, place) => {
        const item = template.items[place];
        return item ? fillIn(item, one) : one;
      });
    }
    const item = template.is === "list" ? template.item : null;
    return item && item.is !== "value" ? played.map((one) => fillIn(item, one)) : played;
  }
  if (!isFields(played)) return played;
  if (template.is === "map") {
    const fill = (name: string, one: unknown) => fillIn(template.fields[name] ?? template.item, one);
    return {
      ...restoreFields(template.fields),
      ...Object.fromEntries(Object.entries(played).map(([name, one]) => [name, fill(name, one)])),
    };
  }
  if (template.is !== "record") return played;
  const filled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(template.fields)) {
    if (Object.hasOwn(played, name)) filled[name] = fillIn(field, played[name]);
    else if (!template.sometimes.includes(name)) filled[name] = restore(field);
  }
  for (const [name, one] of Object.entries(played)) if (!Object.hasOwn(filled, name)) filled[name] = one;
  return filled;
}

const typeOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "list" : typeof value;
};

const FORMS: Readonly<Record<Exclude<Template["is"], "value">, string>> = {
  record: "object",
  map: "object",
  list: "list",
  tuple: "list",
};
const formOf = (template: Template): string => (template.is === "value" ? typeOf(template.value) : FORMS[template.is]);

/** Fields or types of a simulated value that no record has. */
export function listUnseen(template: Template, played: unknown, path = ""): readonly string[] {
  const type = typeOf(played);
  const seen = formOf(template);
  if (type === "null" || seen === "null") return [];
  if (type !== seen) return [`${path}: a ${type}, recorded as a ${seen}`];
  if (Array.isArray(played)) {
    const found = played.flatMap((one, place) => {
      const item = template.is === "tuple" ? template.items[place] : template.is === "list" ? template.item : null;
      return item ? listUnseen(item, one, `${path}[]`) : [];
    });
    return [...new Set(found)];
  }
  if (!isFields(played)) return [];
  return Object.entries(played).flatMap(([name, one]) => {
    const field = template.is === "record" || template.is === "map" ? template.fields[name] : undefined;
    if (field) return listUnseen(field, one, `${path}.${name}`);
    return template.is === "map" ? listUnseen(template.item, one, `${path}.*`) : [`${path}.${name}`];
  });
}
