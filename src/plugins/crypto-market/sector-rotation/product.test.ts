import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { BentCall } from "../../../../test/helpers/simulated-node.ts";
import { CANDLE_VENUES } from "../../../upstream/providers/candle-venues.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { SECTORS } from "../universe/universe.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

const { createNode, run } = createProductRig(product, { now_ms: NOW_MS, api_keys: { coinmarketcap: "k" } });

describe("GET /sector-rotation", () => {
  test("a node whose jobs have not run fetches all members itself", async () => {
    const { data, as_of_ms, warnings, sources } = await run(createNode());
    expect(data.sectors).toHaveLength(SECTORS.length);
    expect([data.caps_source, warnings, data.dropped]).toEqual(["coinmarketcap", [], []]);
    expect(as_of_ms).toBe(Date.UTC(2026, 9, 1));
    const served = new Set(sources.filter(({ ok }) => ok).map(({ provider }) => provider));
    expect([...served].sort()).toEqual(["coinmarketcap", "hyperliquid"]);
  });

  test("stored bars are used; only the capitalisations are asked for", async () => {
    const node = createNode();
    await candles.run(node.createContext());
    const calls = () => CANDLE_VENUES.map(({ provider }) => node.upstreams.status()[provider.id]?.calls);
    const before = calls();
    const { data, sources } = await run(node);
    expect(calls()).toEqual(before);
    expect(data.sectors).toHaveLength(SECTORS.length);
    expect(sources.some(({ provider, ok }) => provider === "hyperliquid" && ok)).toBe(true);
  });

  test("without a key Alternative.me gives the weights; coins it does not list are left out and named", async () => {
    const { data, warnings, sources } = await run(createNode({ api_keys: {} }));
    expect(data.caps_source).toBe("alternative_me");
    expect(data.dropped?.map(({ symbol }) => symbol)).toEqual(["MNT", "VIRTUAL"]);
    expect(warnings).toEqual(["sectors: 2 members are left out, see dropped"]);
    // Capitalisations are not an index of fear and greed, and are not named as one.
    const named = sources.find(({ provider }) => provider === "alternative_me");
    expect(named?.attribution?.text).toBe("Data by Alternative.me");
  });

  test.each(["http500", "stale"] as const)("equal weights, said so, when both publishers fail: %s", async (fault) => {
    const node = createNode();
    node.upstreams.setFault("coinmarketcap", fault);
    node.upstreams.setFault("alternative_me", fault);
    const { data, warnings, sources } = await run(node);
    expect([data.weights, data.caps_source]).toEqual(["equal", null]);
    expect(warnings[0]).toStartWith("caps_source: ");
    expect(sources.some(({ provider, ok }) => provider === "alternative_me" && !ok)).toBe(true);
  });

  test("a coin that is listed nowhere leaves its sector, and nothing is refused for it", async () => {
    // Every venue in its own words; Hyperliquid's list of coins is without it.
    const bend = async (answer: Response, { provider, path }: BentCall): Promise<Response> => {
      if (provider === "hyperliquid") return new Response((await answer.text()).replaceAll('"MNT"', '"OTHER"'));
      if (!/[=/]mnt[_-]?usd/i.test(path)) return answer;
      if (provider === "kraken") return Response.json({ error: ["EQuery:Unknown asset pair"] });
      const code_and_message = { code: 40004, message: "Invalid instrument_name" };
      if (provider === "cryptocom") return Response.json(code_and_message, { status: 400 });
      return Response.json({ message: "NotFound" }, { status: 404 });
    };
    const { data, warnings } = await run(createNode({ bend }));
    expect(data.dropped?.map(({ symbol }) => symbol)).toEqual(["MNT"]);
    expect(data.sectors).toHaveLength(SECTORS.length);
    expect(warnings).toEqual(["sectors: 1 member is left out, see dropped"]);
  });

  test("the preview is a day old and shows quadrants only", async () => {
    const { inputs } = await run(createNode());
    const rewound = product.preview.rewind?.(inputs, NOW_MS);
    if (!rewound) throw new Error("there is an earlier view");
    const { data, as_of_ms } = computeSettled(product, rewound, { params: {}, now_ms: NOW_MS });
    expect(as_of_ms).toBe(Date.UTC(2026, 8, 30));
    const shown = product.preview.redact?.(data);
    expect(Value.Check(product.data, shown)).toBe(true);
    expect(shown?.market).toBeNull();
    expect(shown?.sectors.every(({ members }) => members === null)).toBe(true);
  });
});
