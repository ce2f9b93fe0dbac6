import { NodeError } from "../core/errors.ts";
import { BAZAAR_TYPES, type BazaarFilter, type BazaarType, renderBazaarPage } from "./bazaar.ts";
import { rememberForms } from "./remember.ts";
import { defineSurface, json } from "./types.ts";

const LIMIT_MAX = 100;
/** Longer values are compared with nothing. */
const VALUE_CHARS_MAX = 200;
const QUERY = {
  type: "http (default) or mcp",
  network: "CAIP-2 id",
  scheme: "exact",
  payTo: "receiving address",
  limit: `1 to ${LIMIT_MAX} (default); more is taken for ${LIMIT_MAX}`,
  offset: "where the page starts, from 0",
};

const ALL: BazaarFilter = { type: "http", network: null, scheme: null, pay_to: null };
const FIRST = { limit: LIMIT_MAX, offset: 0 };

const isType = (text: string): text is BazaarType => (BAZAAR_TYPES as readonly string[]).includes(text);

const wrong = (name: string, got: string, allowed: unknown): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${name}" has a value this list does not take.`, {
    param: name,
    details: { parameter: name, got: got.slice(0, 100), allowed },
  });

/** More than a page holds is a page: readers ask for a thousand. @throws NodeError invalid_parameter */
function readNumber(query: URLSearchParams, name: "limit" | "offset", { min, max }: { min: number; max: number }) {
  const text = query.get(name);
  if (text === null) return null;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value < min || (name === "offset" && value > max)) throw wrong(name, text, { minimum: min, maximum: max });
  return Math.min(value, max);
}

/** @throws NodeError invalid_parameter */
function readQuery(query: URLSearchParams) {
  const text = (name: string): string | null => {
    const value = query.get(name);
    if (value !== null && value.length > VALUE_CHARS_MAX) throw wrong(name, value, { maxLength: VALUE_CHARS_MAX });
    return value;
  };
  const type = text("type") ?? "http";
  if (!isType(type)) throw wrong("type", type, BAZAAR_TYPES);
  const filter: BazaarFilter = { type, network: text("network"), scheme: text("scheme"), pay_to: text("payTo") };
  const limit = readNumber(query, "limit", { min: 1, max: LIMIT_MAX }) ?? FIRST.limit;
  const offset = readNumber(query, "offset", { min: 0, max: 1_000_000 }) ?? FIRST.offset;
  return { filter, page: { limit, offset } };
}

/** What readers ask for most, rendered once. */
const tools = rememberForms((model) => json(renderBazaarPage(model, { ...ALL, type: "mcp" }, FIRST)));

export const catalogPage = defineSurface({
  path: "/bazaar.json",
  summary: "The catalog as a facilitator's bazaar lists it",
  content_type: "application/json",
  query: QUERY,
  render: (model) => json(renderBazaarPage(model, ALL, FIRST)),
  answer(query, model) {
    if (!Object.keys(QUERY).some((name) => query.has(name))) return null;
    if (query.size === 1 && query.get("type") === "mcp") return tools(model, "mcp");
    const { filter, page } = readQuery(query);
    return json(renderBazaarPage(model, filter, page));
  },
});

/** The second path is the one that facilitators have: their readers need the node's address and nothing else. */
export const surfaces = [catalogPage, defineSurface({ ...catalogPage, path: "/discovery/resources" })];
