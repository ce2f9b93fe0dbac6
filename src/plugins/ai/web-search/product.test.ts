import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as feeds } from "../jobs/feeds.ts";
import { product } from "./product.ts";

const { createNode, run } = createProductRig(product, { now_ms: Date.parse("2026-11-20T12:00:00Z") });
const KEYS = { brave: "k", exa: "k", serper: "k", tavily: "k" };
const WHOLE = { api_keys: KEYS, licensed: ["searxng"] };
const NONE = encodeURIComponent("zzzz");

describe("GET /web-search", () => {
  test("sells with no key, and says that it knows parts of the web alone", async () => {
    const node = createNode();
    await feeds.run(node.createContext());
    const { data, warnings, sources } = await run(node);
    expect(data).toMatchObject({ query: "x402 payments", coverage: "limited" });
    expect(data.results.length).toBeGreaterThan(5);
    expect(data.engines.map(({ id, ok }) => [id, ok])).toEqual([
      ["wikipedia", true],
      ["hn_algolia", true],
      ["news_store", true],
    ]);
    expect(warnings).toEqual([
      "coverage: no general engine answered, so only parts of the web were searched",
      "results: no engine states a time of its index; as_of is that of the calls",
    ]);
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["wikipedia", "hn_algolia"]));
  });

  test("general engines agree on pages, whatever their addresses carry", async () => {
    const { data } = await run(createNode(WHOLE));
    expect(data.coverage).toBe("web");
    expect(data.engines.map(({ id }) => id).slice(0, 3)).toEqual(["searxng", "brave", "exa"]);
    expect(data.results.some(({ engines }) => engines.length === 3)).toBe(true);
    expect(data.results[0]?.published_at).not.toBeNull();
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });

  test("each engine alone is read in its own shape", async () => {
    for (const id of ["searxng", "brave", "exa", "serper", "tavily"]) {
      const { data } = await run(
        createNode({ ...WHOLE, config: { plugins: { ai: { search_order: [id] } } } }),
        "q=rust",
      );
      const engine = data.engines.find((one) => one.id === id);
      expect(engine?.ok).toBe(true);
      expect(engine?.count).toBeGreaterThan(5);
    }
  });

  test("headlines this node stored are found, with the feeds that carried them", async () => {
    const node = createNode();
    await feeds.run(node.createContext());
    const { data, sources } = await run(node, "q=agent");
    expect(data.engines.find(({ id }) => id === "news_store")?.count).toBeGreaterThan(0);
    expect(sources.some(({ provider }) => provider === "feeds")).toBe(true);
  });

  test("that nothing was found is an answer of two engines, and no answer of one", async () => {
    const { data, warnings } = await run(createNode(), `q=${NONE}`);
    expect(data.results).toEqual([]);
    expect(data.engines.map(({ id }) => id)).toContain("gdelt");
    expect(warnings.join()).toContain("results: every engine");
    const alone = createNode({ off: ["wikipedia", "gdelt", "feeds"] });
    expect((await refusalOf(run(alone, `q=${NONE}`))).status).toBe(503);
  });
});
