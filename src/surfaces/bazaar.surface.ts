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
  offset: "where the page starts, from 0",
};

const ALL: BazaarFilter = { type: "http", network: null, scheme: null, pay_to: null };

/** What a path answers without a query. */
interface Defaults {
  readonly path: `/${string}`;
  readonly limit: number;
  readonly summary: string;
}
/** The whole catalog, as far as a page goes: crawlers read no second one. */
const WHOLE: Defaults = {
  path: "/bazaar.json",
  limit: LIMIT_MAX,
  summary: "The catalog as a facilitator's bazaar lists it",
};
/** As the discovery specification of x402 has it: 20 to a page unless a reader says otherwise. */
const BY_SPECIFICATION: Defaults = { ...WHOLE, path: "/discovery/resources", limit: 20 };

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
function readQuery(query: URLSearchParams, first: { readonly limit: number; readonly offset: number }) {
  const text = (name: string): string | null => {
    const value = query.get(name);
    if (value !== null && value.length > VALUE_CHARS_MAX) throw wrong(name, value, { maxLength: VALUE_CHARS_MAX });
    return value;
  };
  const type = text("type") ?? "http";
  if (!isType(type)) throw wrong("type", type, BAZAAR_TYPES);
  const filter: BazaarFilter = { type, network: text("network"), scheme: text("scheme"), pay_to: text("payTo") };
  const limit = readNumber(query, "limit", { min: 1, max: LIMIT_MAX }) ?? first.limit;
  const offset = readNumber(query, "offset", { min: 0, max: 1_000_000 }) ?? first.offset;
  return { filter, page: { limit, offset } };
}

function createCatalogPage({ path, summary, limit }: Defaults) {
  const first = { limit, offset: 0 };
  const query_names = { ...QUERY, limit: `1 to ${LIMIT_MAX}, default ${limit}; more is taken for ${LIMIT_MAX}` };
  /** What readers ask for most, rendered once. */
  const tools = rememberForms((model) => json(renderBazaarPage(model, { ...ALL, type: "mcp" }, first)));
  return defineSurface({
    path,
    summary,
    content_type: "application/json",
    query: query_names,
    render: (model) => json(renderBazaarPage(model, ALL, first)),
    answer(query, model) {
      if (!Object.keys(query_names).some((name) => query.has(name))) return null;
      if (query.size === 1 && query.get("type") === "mcp") return tools(model, "mcp");
      const { filter, page } = readQuery(query, first);
      return json(renderBazaarPage(model, filter, page));
    },
  });
}

export const catalogPage = createCatalogPage(WHOLE);

/** The second path is the one that facilitators have: their readers need the node's address and nothing else. */
export const surfaces = [catalogPage, createCatalogPage(BY_SPECIFICATION)];
