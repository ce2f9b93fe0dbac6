import { createLRU } from "../../core/lru.ts";
import { CALL_TOOL, CORE_TOOLS, renderTools } from "../../surfaces/mcp-tools.ts";
import { assertQuery, productsOfSets, readNames, splitNames } from "../../surfaces/tool-sets.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import type { Tool } from "./call-tool.ts";
import type { Result } from "./results.ts";

/** The tools of one address: what is not listed cannot be called there. */
export interface ToolList {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly list: { readonly legacy: Result; readonly modern: Result };
}

const LIST_TTL_MS = 300_000;
/** Addresses differ by what they name; few are in use at a time. */
const KEPT_MAX = 50;
const KNOWN = ["set", "tools", "key"];

/** "/fear-greed", "fear-greed" and "fear_greed" are one tool. */
const toToolNames = (text: string): string =>
  splitNames(text)
    .map((name) => name.replace(/^\//, "").replaceAll(/[/-]/g, "_"))
    .join(",");

/** What the query of an address says of tools. */
interface ToolSelection {
  readonly set: string | null;
  readonly tools: string | null;
}

/** The names an address asks for: all but the tool that covers all, if it asks for none. */
function namesOf({ set, tools }: ToolSelection, model: SurfaceModel, all: readonly string[]): ReadonlySet<string> {
  if (set === null && tools === null) return new Set(all.filter((name) => name !== CALL_TOOL));
  return new Set([
    ...(set === null ? [] : [...CORE_TOOLS, ...productsOfSets(model, set).map(({ skill_id }) => skill_id)]),
    ...(tools === null ? [] : readNames("tools", toToolNames(tools), [...all, ...(model.off_skill_ids ?? [])])),
  ]);
}

/**
 * Lists of tools by the query of the address: `?set=core,brazil`, `?tools=fear_greed,regime`, or both together.
 * The list of a bare address is whole, but for the tool that covers all products.
 */
export function createToolLists(all: ReadonlyMap<string, Tool>, model: SurfaceModel): (search: string) => ToolList {
  const marks = model.sandbox ? { meta: { "intel-node/sandbox": true } } : {};
  const caching = `,"ttlMs":${LIST_TTL_MS},"cacheScope":"public"`;
  const rendered = renderTools(model).filter(({ name }) => all.has(name));
  const known = rendered.map(({ name }) => name);
  const create = (wanted: ToolSelection): ToolList => {
    const names = namesOf(wanted, model, known);
    const members = `"tools":${JSON.stringify(rendered.filter(({ name }) => names.has(name)))}`;
    return {
      tools: new Map([...all].filter(([name]) => names.has(name))),
      list: {
        legacy: { type: "complete", members, ...marks },
        modern: { type: "complete", members: members + caching, ...marks },
      },
    };
  };
  const bare = create({ set: null, tools: null });
  const kept = createLRU<ToolList>(KEPT_MAX);
  return (search) => {
    if (search === "") return bare;
    const query = new URLSearchParams(search);
    assertQuery(query, KNOWN);
    const [set, tools] = [query.get("set"), query.get("tools")];
    if (set === null && tools === null) return bare;
    // A key in the address is not part of the cache key.
    const wanted = JSON.stringify([set, tools]);
    const list = kept.get(wanted) ?? create({ set, tools });
    kept.set(wanted, list);
    return list;
  };
}
