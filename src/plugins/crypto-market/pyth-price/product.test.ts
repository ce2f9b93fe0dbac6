import { describe, expect, test } from "bun:test";
import { type ProductRun, runProduct } from "../../../../test/helpers/product-harness.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { PYTH_FEEDS, PYTH_RECEIVERS } from "../../../upstream/providers/solana-rpc/pyth-feeds.ts";
import {
  encodePythAccount,
  type PythAccountFields,
} from "../../../upstream/providers/solana-rpc/simulated-accounts.ts";
import { product } from "./product.ts";

const NOW_MS = 1_790_000_010_000;
const NOW_S = NOW_MS / 1000;
const { SOL } = PYTH_FEEDS;

type Generation = "classic" | "upgraded";

function account(age_s: number, generation: Generation, fields: Partial<PythAccountFields> = {}) {
  const data = encodePythAccount({
    feed_id: SOL.feed_id,
    price: 14_748_123_456n,
    conf: 7_374_061n,
    exponent: -8,
    publish_time_s: BigInt(NOW_S - age_s),
    prev_publish_time_s: BigInt(NOW_S - age_s - 1),
    ema_price: 14_750_000_000n,
    ema_conf: 8_000_000n,
    posted_slot: 370_000_000n,
    ...fields,
  });
  const owner = PYTH_RECEIVERS[generation];
  return { data: [Buffer.from(data).toString("base64"), "base64"], owner, lamports: 1, executable: false };
}

const solana = (classic: unknown, upgraded: unknown) => ({
  "solana_rpc POST solana": {
    jsonrpc: "2.0",
    id: 1,
    result: { context: { slot: 370_000_020 }, value: [classic, upgraded] },
  },
});

const hermes = (age_s: number, price = "14800000000") => {
  const parsed = { price, conf: "7400000", expo: -8, publish_time: NOW_S - age_s };
  return {
    "pyth_hermes GET /v2/updates/price/latest": {
      binary: { encoding: "hex", data: [] },
      parsed: [{ id: SOL.feed_id, price: parsed, ema_price: parsed, metadata: { slot: null } }],
    },
  };
};

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
const contract = (chain: string, age_s: number, price = 14_700_000_000n) => ({
  [`evm_rpc POST ${chain}`]: {
    jsonrpc: "2.0",
    id: 1,
    result: `0x${word(price)}${word(7_000_000n)}${word(-8n)}${word(BigInt(NOW_S - age_s))}`,
  },
});

const VENUES = {
  "kraken GET /0/public/Depth?pair=SOLUSD": {
    error: [],
    result: { SOLUSD: { asks: [["147.48", "1", NOW_S]], bids: [["147.46", "1", NOW_S]] } },
  },
  "bitstamp GET /api/v2/ticker/solusd/": { timestamp: String(NOW_S), bid: "147.46", ask: "147.48" },
  "gemini GET /v1/book/solusd": {
    bids: [{ price: "147.45", amount: "1", timestamp: "0" }],
    asks: [{ price: "147.47", amount: "1", timestamp: "0" }],
  },
};

const run = (bodies: ProductRun["bodies"], unusable: readonly string[] = ["pyth_hermes"]) =>
  runProduct(product, { now_ms: NOW_MS, bodies, unusable });
const refusalOf = async (bodies: ProductRun["bodies"], unusable?: readonly string[]) => {
  const error = await run(bodies, unusable).catch((thrown: unknown) => thrown);
  if (!(error instanceof NodeError)) throw new Error(`expected a NodeError, got ${JSON.stringify(error)}`);
  return { status: error.status, code: error.code };
};

describe("GET /pyth-price", () => {
  test("reads both accounts in one call and shows the one published last", async () => {
    const later = account(5, "upgraded", { price: 14_750_000_000n });
    const { data, sources, warnings, as_of } = await run({ ...solana(account(20, "classic"), later), ...VENUES });
    expect(data).toMatchObject({
      price: 147.5,
      account: SOL.upgraded,
      age_s: 5,
      path: "solana_push_feed",
      verification: "full",
      context_slot: 370_000_020,
      spot_median: 147.47,
      deviation_bps: 2.03,
    });
    expect(as_of).toBe("2026-09-21T14:13:25Z");
    expect(warnings).toEqual([]);
    expect(sources.filter(({ provider }) => provider === "solana_rpc")).toHaveLength(1);
    // Crypto.com had no answer here: said in the sources, without harm to the median.
    expect(sources.find(({ provider }) => provider === "cryptocom")?.ok).toBe(false);
  });

  test("one usable account is enough: the other can be missing, forged, partial or of another feed", async () => {
    const forged = { ...account(1, "upgraded"), owner: "11111111111111111111111111111111" };
    const partial = account(1, "upgraded", { partial: 3 });
    const other = account(1, "upgraded", { feed_id: PYTH_FEEDS.BTC.feed_id });
    const future = account(-61, "upgraded");
    for (const bad of [null, forged, partial, other, future]) {
      const { data } = await run(solana(account(20, "classic"), bad));
      expect(data).toMatchObject({ account: SOL.classic, price: 147.48123456 });
    }
  });

  test("a price of 120 s is fresh, one of 900 s is shown as stale, one of 901 s is not sold", async () => {
    const age = (age_s: number) => solana(account(age_s, "classic"), account(5_000, "upgraded"));
    expect((await run(age(120))).data.stale).toBe(false);
    expect((await run(age(121))).data.stale).toBe(true);
    expect((await run(age(900))).data).toMatchObject({ stale: true, age_s: 900 });
    expect(await refusalOf(age(901))).toMatchObject({ status: 503 });
  });

  test("Hermes is asked only when the accounts are unusable or stale, and the newer price wins", async () => {
    const fresh = await run({ ...solana(account(20, "classic"), null), ...hermes(1) }, []);
    expect(fresh.data.path).toBe("solana_push_feed");
    expect(fresh.sources.some(({ provider }) => provider === "pyth_hermes")).toBe(false);
    const stale = await run({ ...solana(account(300, "classic"), null), ...hermes(2) }, []);
    expect(stale.data).toMatchObject({ path: "hermes", price: 148, stale: false, verification: null });
    const older = await run({ ...solana(account(300, "classic"), null), ...hermes(400) }, []);
    expect(older.data).toMatchObject({ path: "solana_push_feed", stale: true });
    expect((await run({ ...solana(null, null), ...hermes(3) }, [])).data.path).toBe("hermes");
  });

  test("the contracts are the last resort: the newest of them, by their age", async () => {
    const { data, warnings } = await run({ ...contract("base", 800), ...contract("ethereum", 700, 14_690_000_000n) });
    expect(data).toMatchObject({
      path: "evm_contract",
      price: 146.9,
      ema_price: null,
      publish_slot: null,
      slot_kind: null,
      context_slot: null,
      stale: true,
      account: "0x4305FB66699C3B2702D4d05CF36551390A4c69C6",
    });
    expect(warnings.join()).toContain("ema_price, ema_conf");
    const old = { ...solana(null, null), ...contract("base", 901), ...contract("ethereum", 90_000) };
    expect(await refusalOf(old)).toEqual({ status: 503, code: "upstream_bad_response" });
  });

  test("without venues there is only the price, with a warning", async () => {
    const { data, warnings } = await run(solana(account(20, "classic"), null));
    expect([data.spot_median, data.deviation_bps]).toEqual([null, null]);
    expect(warnings).toEqual(["spot_median, deviation_bps: fewer than 2 venues gave a fresh quote"]);
  });

  test("every fault of the ledger's node ends in 503, never in a number", async () => {
    const faults: Record<string, unknown> = {
      timeout: new UpstreamError("upstream_timeout", "solana_rpc", "late"),
      limited: new UpstreamError("upstream_rate_limited", "solana_rpc", "429", { retry_after_s: 7 }),
      down: new UpstreamError("upstream_unavailable", "solana_rpc", "500"),
      html: new UpstreamError("upstream_bad_response", "solana_rpc", "HTML where JSON is due"),
      wrong_shape: { hello: "world" },
      empty: { jsonrpc: "2.0", id: 1, result: { context: { slot: 1 }, value: [] } },
      nulls: { jsonrpc: null, id: null, result: { context: { slot: null }, value: [null, null] } },
      rpc_error: { jsonrpc: "2.0", id: 1, error: { code: -32005, message: "Node is behind" } },
      old: solana(account(8 * 86_400, "classic"), account(8 * 86_400, "upgraded"))["solana_rpc POST solana"],
      no_accounts: solana(null, null)["solana_rpc POST solana"],
    };
    for (const body of Object.values(faults)) {
      expect(await refusalOf({ "solana_rpc POST solana": body })).toMatchObject({ status: 503 });
      const bodies = { "solana_rpc POST solana": body, ...contract("base", 30) };
      expect((await run(bodies)).data).toMatchObject({ path: "evm_contract", price: 147 });
    }
  });

  test("with no path allowed it is refused", async () => {
    expect(await refusalOf({}, ["solana_rpc", "pyth_hermes", "evm_rpc"])).toMatchObject({ status: 503 });
  });

  test("the description fits into what facilitators accept", () => {
    expect(product.description.length).toBeLessThanOrEqual(450);
  });
});
