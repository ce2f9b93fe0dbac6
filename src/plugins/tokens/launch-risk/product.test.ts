import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { BentCall } from "../../../../test/helpers/simulated-node.ts";
import { ZOO } from "../../../upstream/providers/simulated-tokens/zoo.ts";
import { job as factoryJob } from "../jobs/factory-scan.ts";
import { job } from "../jobs/launches.ts";
import { VERDICTS } from "../judge/judge.ts";
import { createdPools } from "../launches/factory-tables.ts";
import { product } from "./product.ts";

/** What owner() returns where somebody owns the contract. */
const OWNED = `0x${"0".repeat(24)}${"7".repeat(40)}`;
const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const find = (id: string) => {
  const token = ZOO.find((one) => one.id === id);
  if (!token) throw new Error(id);
  return token;
};

describe("GET /launch-risk", () => {
  test("lists what the job judged within half an hour, newest first, and is refused without", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
    await job.run(node.createContext());
    const { data, sources } = await run(node, "limit=3");
    expect(data).toMatchObject({ mode: "list", method: "LR-1", not_advice: true });
    expect(data.items).toHaveLength(3);
    expect(new Set(data.items.map(({ source }) => source))).toEqual(new Set(["pump_fun"]));
    expect(data).toMatchObject({ coverage: null });
    const born = data.items.map(({ created_at }) => Date.parse(created_at ?? ""));
    expect(born).toEqual([...born].sort((a, b) => b - a));
    expect(data.base_rates.n).toBeGreaterThanOrEqual(3);
    expect(new Set(sources.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(4);
    node.clock.advance(31 * 60_000);
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
  });

  test("launches by factories of Base, each with the factory, and how much of the chain was watched", async () => {
    const node = createNode();
    await factoryJob.run(node.createContext());
    for (let n = 0; n < 3; n += 1) {
      await job.run(node.createContext());
      node.clock.advance(10 * 60_000);
      await factoryJob.run(node.createContext());
    }
    const { data, warnings } = await run(node, "chain=base");
    expect(data.items.length).toBeGreaterThanOrEqual(2);
    const pools = await node.table(createdPools).find({ where: { chain: "base", is_launch: true }, limit: 1_000 });
    for (const { token, source, created_at } of data.items) {
      const [pool] = pools.filter((one) => one.token === token.address);
      expect([token.chain, source]).toEqual(["base", pool?.factory ?? ""]);
      expect(Date.parse(created_at ?? "")).toBe(Math.floor((pool?.at_ms ?? 0) / 1000) * 1000);
    }
    expect(data.launches_24h).toBe(pools.length);
    expect(data.coverage).toMatchObject({ chain: "base", blocks_expected: 43_200, confirmations: 60 });
    // An hour back, and what was read since.
    expect(data.coverage?.blocks_scanned).toBe(1_800 + 3 * 300);
    expect(warnings.join()).toContain("coverage: 2700 of 43200 blocks of base were read");
    // None of them was there before its pool.
    expect(await node.table(createdPools).count({ token: { in: data.items.map(({ token }) => token.address) } })).toBe(
      data.items.length,
    );
  });

  test("one token of any of the chains, by its address alone", async () => {
    const node = createNode();
    const verdictOf = async (id: string) => (await run(node, `mint=${find(id).address}`)).data.items[0];
    expect(await verdictOf("meadow")).toMatchObject({ verdict: "SIZE", token: { chain: "solana" } });
    expect(await verdictOf("honeypot")).toMatchObject({ verdict: "AVOID", token: { chain: "base" } });
    const { data } = await run(node, `mint=${find("orchard").address}&chain=ethereum`);
    expect(data.items[0]).toMatchObject({ verdict: "SIZE", token: { chain: "ethereum" } });
  });

  test("a power without a holder does not count: the chain overrules a provider, with a cap at most", async () => {
    const node = createNode();
    const asked = `mint=${find("renounced-called-mintable").address}&chain=ethereum`;
    const [item] = (await run(node, asked)).data.items;
    expect(item).toMatchObject({ verdict: "WATCH", basis: "capped", hard_fails: [] });
    expect(item?.caps.map(({ id }) => id)).toEqual(["renounced_powers"]);
    const values = [
      { source: "evm_rpc", value: 0 },
      { source: "goplus", value: 1 },
    ];
    expect(item?.conflicts).toContainEqual({ fact: "mint_active", values });
  });

  for (const [name, answer] of [
    ["one of the chain's addresses knows an owner", null],
    ["the owner can come back", "can_take_back_ownership"],
    ["there is a hidden owner", "hidden_owner"],
  ] as const) {
    test(`it is not refuted where ${name}`, async () => {
      const second_rpc = (batch: unknown): unknown =>
        Array.isArray(batch)
          ? batch.toSorted((a, b) => a.id - b.id).map((one, index) => (index === 2 ? { ...one, result: OWNED } : one))
          : batch;
      const bend = async (given: Response, { provider }: BentCall): Promise<Response> =>
        provider === "goplus" && answer !== null
          ? new Response((await given.text()).replace(`"${answer}":"0"`, `"${answer}":"1"`))
          : given;
      const asked = `mint=${find("renounced-called-mintable").address}&chain=ethereum`;
      const node = createNode(answer === null ? { second_rpc } : { bend });
      const [item] = (await run(node, asked)).data.items;
      expect(item?.hard_fails.map(({ id }) => id)).toContain("H1_mint_authority");
    });
  }

  test("with Blockscout silent the ten largest have the points of their worse bound", async () => {
    const node = createNode();
    const asked = `mint=${find("orchard").address}&chain=ethereum`;
    node.upstreams.setFault("blockscout", "http500");
    const { data, warnings } = await run(node, asked);
    const top10 = data.items[0]?.factors.find(({ id }) => id === "top10");
    const [, max = ""] = /between [\d.]+ and ([\d.]+), and the worse bound/.exec(warnings.join()) ?? [];
    expect(top10).toMatchObject({ known: true, sources: ["goplus"] });
    expect(top10?.value).toBeCloseTo(Number(max), 2);
    expect(top10?.points).toBeLessThan(12);
  });

  test("too thin, too new, or of the maker of 22 traps: AVOID on each chain, however good the rest", async () => {
    const edit = (provider: string, change: (text: string) => string) =>
      createNode({
        bend: async (given: Response, asked: BentCall) =>
          asked.provider === provider ? new Response(change(await given.text())) : given,
      });
    const judge = async (node: ReturnType<typeof createNode>, id: string) => {
      const { chain, address } = find(id);
      return (await run(node, `mint=${address}&chain=${chain}`)).data.items[0];
    };
    const thin = (text: string) => text.replaceAll(/"liquidity":\{"usd":[\d.]+/g, '"liquidity":{"usd":184');
    const fresh = (text: string) => text.replaceAll(/"pairCreatedAt":\d+/g, `"pairCreatedAt":${NOW_MS - 108_000}`);
    const maker = (text: string) =>
      text.replace('"honeypot_with_same_creator":"0"', '"honeypot_with_same_creator":"22"');
    for (const [floor, provider, change, ids] of [
      ["F1_thin", "dexscreener", thin, ["meadow", "lantern"]],
      ["F2_too_new", "dexscreener", fresh, ["meadow", "lantern"]],
      ["F3_creator_record", "goplus", maker, ["orchard", "lantern"]],
    ] as const) {
      for (const id of ids) {
        const item = await judge(edit(provider, change), id);
        expect([id, floor, item?.verdict]).toEqual([id, floor, "AVOID"]);
        expect(item?.hard_fails.map((one) => one.id)).toContain(floor);
        expect(item?.risk).toBeGreaterThanOrEqual(60);
      }
    }
  });

  test("a finding stays valid for a day when its source falls silent", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const [listed] = (await run(node, "limit=1")).data.items;
    if (!listed) throw new Error("no launch in this world");
    for (const provider of ["rugcheck", "solana_rpc", "goplus", "dexscreener"]) {
      node.upstreams.setFault(provider, "http500");
      const { data } = await run(node, `mint=${listed.token.address}`);
      expect(VERDICTS.indexOf(data.items[0]?.verdict ?? "SIZE")).toBeLessThanOrEqual(VERDICTS.indexOf(listed.verdict));
      node.upstreams.setFault(provider, "none");
      node.clock.advance(120_000);
    }
  });

  test("an address that is not a token is 422 or not found, and costs nothing", async () => {
    const node = createNode();
    for (const mint of ["0x0000000000000000000000000000000000000001", "So11111111111111111111111111111111111111113"]) {
      expect((await refusalOf(run(node, `mint=${mint}`))).code).toBe("subject_not_found");
    }
    expect((await refusalOf(run(node, "mint=0xC02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2"))).status).toBe(422);
  });

  test("hostile names come out harmless", async () => {
    const node = createNode();
    for (const id of ["bidi-name", "zero-width-name", "prompt-injection"]) {
      const { token } = (await run(node, `mint=${find(id).address}`)).data.items[0] ?? {};
      expect(token?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect([...(token?.name ?? "")].length).toBeLessThanOrEqual(64);
    }
  });
});
