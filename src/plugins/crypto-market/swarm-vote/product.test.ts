import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { computeSettled, createProductRig } from "../../../../test/helpers/product-rig.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { getGenesis, hashRecord } from "../../../records/record-chain.ts";
import { isSignedText } from "../../../records/signed-text.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { job as candles } from "../jobs/candles-1d.ts";
import { job as funding } from "../jobs/derivs-sample.ts";
import { job as emit } from "../jobs/votes-emit.ts";
import { job as score } from "../jobs/votes-score.ts";
import { product } from "./product.ts";

const MIDNIGHT_MS = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;

const { createNode, run } = createProductRig(product, { now_ms: MIDNIGHT_MS });

/** Lives through that many midnights with its jobs; the last is MIDNIGHT_MS, or some days before it. */
async function live(node: SimulatedNode, days: number, before = 0): Promise<void> {
  for (let day = days - 1; day >= before; day -= 1) {
    const start_ms = MIDNIGHT_MS - day * DAY_MS;
    node.clock.set(start_ms + 3 * MINUTE_MS);
    await candles.run(node.createContext());
    await funding.run(node.createContext());
    node.clock.set(start_ms + 6 * MINUTE_MS);
    await emit.run(node.createContext());
    await score.run(node.createContext());
  }
}

describe("GET /swarm-vote", () => {
  test("votes are written before they are shown, chained, scored after seven days, and weigh then", async () => {
    const node = createNode();
    await live(node, 12);
    const rows = await node.records.read("votes");
    expect(rows).toHaveLength(36);
    let head = getGenesis("votes");
    for (const { record, record_hash } of rows) {
      expect([record.prev_hash, hashRecord(record)]).toEqual([head, record_hash]);
      head = record_hash;
    }
    // Entry a day after, exit seven days later, and its bar closes another day later.
    const scored = rows.filter(({ outcome }) => outcome !== null);
    expect(scored).toHaveLength(9);
    const { data } = await run(node);
    expect(data.chain).toEqual({ length: 36, head });
    const counted = data.rows.flatMap(({ voters }) => voters.map(({ scored_n }) => scored_n));
    expect(Math.max(...counted)).toBe(3);
    const cast = scored.reduce(
      (sum, { record }) => sum + Object.values(record.votes as object).filter(Boolean).length,
      0,
    );
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(cast);
  });

  test("the live votes are the recorded ones, and the statement is signed by the node", async () => {
    const node = createNode();
    await live(node, 1);
    const { data, as_of_ms } = await run(node);
    expect(as_of_ms).toBe(MIDNIGHT_MS);
    if (!data.signed) throw new Error("the day was recorded");
    const { text, signature, public_key } = data.signed;
    expect(isSignedText({ kind: "swarm-votes", text, signature, public_key })).toBe(true);
    expect(isSignedText({ kind: "swarm-votes", text: `${text} `, signature, public_key })).toBe(false);
    const said: { rows: { symbol: string; verdict: string; votes: object }[] } = JSON.parse(text);
    for (const { symbol, verdict, votes } of said.rows) {
      const row = data.rows.find((one) => one.symbol === symbol);
      expect(verdict).toBe(row?.verdict ?? "");
      expect(votes).toEqual(Object.fromEntries(row?.voters.map(({ id, vote }) => [id, vote]) ?? []));
    }
  });

  test("a later market never changes an earlier record", async () => {
    const [short, long] = [createNode(), createNode()];
    await live(short, 4, 2);
    await live(long, 4);
    const written = (await short.records.read("votes")).map(({ record }) => record);
    expect(written).toHaveLength(6);
    expect((await long.records.read("votes")).map(({ record }) => record)).toHaveLength(12);
    expect((await long.records.read("votes", { limit: 6 })).map(({ record }) => record)).toEqual(written);
  });

  test("no vote is written twice for a day, nor later than half an hour after midnight", async () => {
    const node = createNode();
    await live(node, 1);
    node.clock.set(MIDNIGHT_MS + 12 * MINUTE_MS);
    await emit.run(node.createContext());
    expect((await node.records.head("votes")).length).toBe(3);
    node.clock.set(MIDNIGHT_MS + DAY_MS + 31 * MINUTE_MS);
    await candles.run(node.createContext());
    await emit.run(node.createContext());
    expect((await node.records.head("votes")).length).toBe(3);
    const { data, warnings } = await run(node);
    expect(data.signed).toBeNull();
    expect(warnings.join()).toContain("signed: the votes of this day were not recorded");
  });

  test("votes without prices are stated as such, and weigh nothing", async () => {
    const node = createNode();
    await live(node, 1);
    node.clock.set(MIDNIGHT_MS + 12 * DAY_MS);
    await score.run(node.createContext());
    const statuses = (await node.records.read("votes")).map(({ outcome }) => outcome?.outcome.status);
    expect(statuses).toEqual(["unscorable", "unscorable", "unscorable"]);
  });

  test("a new node fetches the bars it has not stored, and says who abstains", async () => {
    const node = createNode({ now_ms: MIDNIGHT_MS + 12 * 3_600_000 });
    const { data, warnings } = await run(node);
    expect(data.rows[0]?.voters.filter(({ value }) => value === null).map(({ id }) => id)).toEqual(["breadth"]);
    expect(warnings.join()).toContain("these are this node's votes alone");
  });

  test("without any source no vote is recorded", async () => {
    const node = createNode();
    node.clock.set(MIDNIGHT_MS + 6 * MINUTE_MS);
    node.upstreams.setFault("*", "http500");
    expect(await emit.run(node.createContext()).catch(() => "failed")).toBe("failed");
    expect((await node.records.head("votes")).length).toBe(0);
  });

  test("the preview is of the day before, without weights", async () => {
    const node = createNode();
    await live(node, 2);
    const { inputs } = await run(node);
    const earlier = product.preview.rewind?.(inputs, node.clock.now());
    if (!earlier) throw new Error("there is a day before");
    const { data, as_of_ms } = computeSettled(product, earlier, { params: {}, now_ms: node.clock.now() });
    expect(as_of_ms).toBe(MIDNIGHT_MS - DAY_MS);
    const redacted = product.preview.redact?.(data);
    expect(redacted?.rows.every(({ voters }) => voters.every(({ weight }) => weight === null))).toBe(true);
    expect(JSON.parse(redacted?.signed?.text ?? "{}").bar_close_at).toBe("2026-09-30T00:00:00Z");
    expect(Value.Check(product.data, redacted)).toBe(true);
  });
});
