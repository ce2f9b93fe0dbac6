import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { toLocal } from "../../../calendars/zone-time.ts";
import * as brief from "../br-brief/product.ts";
import * as marketBrief from "../job-br-market-brief/product.ts";
import { job } from "../jobs/editions.ts";
import * as report from "../relatorio/product.ts";

/** Tuesday 13 January 2026, 08:14 in São Paulo. */
const NOW_MS = Date.UTC(2026, 0, 13, 11, 14);
const MINUTE_MS = 60_000;
const [REPORT, MARKET_BRIEF, BRIEF] = [report, marketBrief, brief].map(({ product, editions }) => ({
  product,
  editions,
  rig: createProductRig(product as typeof brief.product, { now_ms: NOW_MS }),
}));
const WRITTEN = [REPORT, MARKET_BRIEF, BRIEF].flatMap((one) => one ?? []);
let node: SimulatedNode;
beforeAll(async () => {
  node = await createBrazilNode();
  node.clock.advance(NOW_MS - node.clock.now());
});
afterAll(() => node.close());

const callsOf = (): number => Object.values(node.upstreams.status()).reduce((sum, { calls }) => sum + calls, 0);

describe("what is written of Brazil", () => {
  test("comes out in editions before the opening and after the close, kept and never made again", async () => {
    const at = (time: string) => Date.parse(`2026-01-13T${time}-03:00`);
    /** Runs the job every five minutes of a time in São Paulo, and returns the editions. */
    const runFrom = async (from: string, to: string) => {
      for (node.clock.set(at(from)); node.clock.now() <= at(to); node.clock.advance(5 * MINUTE_MS))
        await job.run(node.createContext());
      const lists = await Promise.all(WRITTEN.map(({ editions }) => editions.list(node.createContext(), "2d")));
      return lists.map((list) => list.map(({ at_ms }) => toLocal("America/Sao_Paulo", at_ms).time));
    };
    expect(await runFrom("08:15", "08:15")).toEqual([["08:15"], [], []]);
    expect(await runFrom("08:20", "08:35")).toEqual([["08:15"], ["08:20"], ["08:30"]]);
    for (const id of ["bcb_sgs", "b3_files", "b3_reports", "bcb_olinda"]) node.upstreams.setFault(id, "http500");
    const [first] = await Promise.all(WRITTEN.map(({ editions }) => editions.list(node.createContext(), "2d")));
    const calls = callsOf();
    const sold = await REPORT?.rig.run(node);
    expect(callsOf()).toBe(calls);
    expect(sold?.data).toEqual((first?.[0]?.value.data ?? {}) as never);
    expect(sold?.sources.length).toBeGreaterThan(2);
    expect(await runFrom("19:45", "20:05")).toEqual([
      ["08:15", "19:45"],
      ["08:20", "19:50"],
      ["08:30", "20:00"],
    ]);
    const again = await REPORT?.editions.list(node.createContext(), "2d");
    expect(again?.[0]).toEqual(first?.[0] as never);
    expect(again?.map(({ value }) => (value.data as { edition: string }).edition)).toEqual([
      "pre_abertura",
      "pos_fechamento",
    ]);
  });
});
