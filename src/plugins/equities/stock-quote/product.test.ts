import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { config as settings } from "../config.ts";
import { plugin } from "../index.ts";
import { job } from "../jobs/us-close.ts";
import { US_VENDORS } from "../vendors/us-vendors.ts";
import { product } from "./product.ts";

/** A Thursday, 14:30 in New York. */
const NOW_MS = Date.parse("2026-10-01T18:30:00Z");
const CLOSE_MS = Date.parse("2026-09-30T20:00:05Z");
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /stock-quote", () => {
  test("the close that the job stored yesterday is what today's change is measured against", async () => {
    const node = createNode({ now_ms: CLOSE_MS });
    await job.run(node.createContext());
    node.clock.set(NOW_MS);
    const { data, sources, warnings } = await run(node);
    expect(data).toMatchObject({ symbol: "AAPL", name: "Apple Inc.", price_basis: "mid", change_basis: "node_close" });
    expect(data.quotes?.map(({ kind, used }) => [kind, used])).toEqual([
      ["share", true],
      ["oracle", false],
      ["token", false],
    ]);
    expect(data.change).toBeCloseTo(data.price - (data.prev_close ?? 0), 4);
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["rhj", "evm_rpc", "kraken", "sec"]));
    expect(warnings).toEqual(["quotes[kraken].age_s: the provider states no time"]);
  });

  test("the job stores nothing at any other hour, and nothing on half days at four", async () => {
    for (const time of ["2026-09-30T21:00:05Z", "2026-11-27T21:00:05Z", "2026-11-26T21:00:05Z"]) {
      const node = createNode({ now_ms: Date.parse(time) });
      await job.run(node.createContext());
      expect(node.upstreams.status().rhj?.calls).toBe(0);
    }
    const half = createNode({ now_ms: Date.parse("2026-11-27T18:00:05Z") });
    await job.run(half.createContext());
    expect(half.upstreams.status().rhj?.calls).toBe(1);
  });

  test("closures and half days of the operator apply to answers and jobs", async () => {
    const holidays = ["XNYS 2026-10-01 closed", "XNYS 2026-09-30 13:00", "XLON 2026-10-01 open"];
    const config = { plugins: { equities: { holidays } } };
    const node = createNode({ config, now_ms: CLOSE_MS });
    await job.run(node.createContext());
    expect(node.upstreams.status().rhj?.calls).toBe(0);
    node.clock.set(Date.parse("2026-09-30T17:00:05Z"));
    await job.run(node.createContext());
    expect(node.upstreams.status().rhj?.calls).toBe(1);
    node.clock.set(NOW_MS);
    const { data } = await run(node);
    expect(data).toMatchObject({ price_basis: "indicative", session: { status: "holiday" } });
    expect((await run(createNode())).data.session.status).toBe("open");
    for (const wrong of ["XNYS 2026-10-01", "XNYS 2026-10-01 25:00", "NYSE2 2026-10-01 closed"])
      expect(Value.Check(settings, { holidays: [wrong] })).toBe(false);
  });

  test("a table that ends is reported with the key that extends it", () => {
    const last = (holidays: readonly string[]) => plugin.dated?.({ holidays } as never)[0];
    const shipped = last([]);
    expect(shipped).toMatchObject({ what: "days without trading of XNYS", extend: "[plugins.equities] holidays" });
    expect(last(["XNYS 2031-12-31 last"])?.last_day).toBe("2031-12-31");
    expect((shipped?.last_day ?? "") < "2031-12-31").toBe(true);
  });

  test("feed and token replace a missing quote; without all three there is no answer", async () => {
    const node = createNode();
    node.upstreams.setFault("rhj", "wrong_shape");
    expect((await run(node)).data).toMatchObject({ price_basis: "oracle", bid: null });
    node.upstreams.setFault("evm_rpc", "http500");
    node.clock.advance(60_000);
    expect((await run(node)).data).toMatchObject({ price_basis: "token_mid", is_proxy: true });
    node.upstreams.setFault("kraken", "stale");
    node.upstreams.setFault("*", "http500");
    node.clock.advance(60_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("each vendor's licence opens the ticker that only it quotes; without one it is not asked", async () => {
    const api_keys = { twelvedata: "k", massive: "k", finnhub: "k" };
    const off = ["rhj", "evm_rpc", "kraken"];
    for (const { provider } of US_VENDORS) {
      const node = createNode({ licensed: [provider.id], api_keys, off });
      const { data, sources } = await run(node);
      expect(data).toMatchObject({ price_basis: "last", change_basis: "vendor", bid: null });
      expect(data.quotes).toMatchObject([{ provider: provider.id, kind: "vendor", used: true, terms: "restricted" }]);
      expect(sources.some((source) => source.provider === provider.id && source.ok)).toBe(true);
      expect((await refusalOf(run(node, "symbol=ZZZZ"))).status).toBe(503);
    }
    const without = createNode({ api_keys });
    await run(without);
    for (const { provider } of US_VENDORS) expect(without.upstreams.status()[provider.id]?.calls ?? 0).toBe(0);
  });

  test("an unknown ticker is refused as unknown, uncharged", async () => {
    expect(await refusalOf(run(createNode(), "symbol=ZZZZZ"))).toMatchObject({ code: "subject_not_found" });
  });

  test("tickers are read in every usual spelling", () => {
    const parser = createParamsParser(product.params, product.normalise);
    const symbolOf = (query: string) => parser.fromQuery(query).params.symbol;
    expect(symbolOf("")).toBe("AAPL");
    expect(["brk-b", "BRK/B", "Brk.b"].map((text) => symbolOf(`symbol=${encodeURIComponent(text)}`))).toEqual(
      Array(3).fill("BRK.B"),
    );
    for (const wrong of ["TOOLONGX", "AA%20PL", "7203", "A.B.C"]) expect(() => symbolOf(`symbol=${wrong}`)).toThrow();
  });
});
