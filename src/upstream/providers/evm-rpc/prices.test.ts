import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { PYTH_FEEDS } from "../solana-rpc/pyth-feeds.ts";
import { fetchChainlinkPrice } from "./chainlink-price.ts";
import { fetchPythContractPrice } from "./pyth-contract.ts";

const NOW_MS = 1_790_000_010_000;
const TIME_S = 1_790_000_000n;

/** HexWords as the ABI writes them: negative values in two's complement over the whole word. */
const encode = (...values: bigint[]) =>
  `0x${values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0")).join("")}`;
const rpc = (result: unknown) => ({ jsonrpc: "2.0", id: 1, result });

interface Call {
  readonly params: readonly [{ readonly to: string; readonly data: string }, string];
}
const isCall = (body: unknown): body is Call => typeof body === "object" && body !== null && "params" in body;

/** Answers each function of a contract by its selector. */
const contract = (results: Readonly<Record<string, unknown>>) => (request: { body: unknown }) => {
  if (!isCall(request.body)) throw new Error("not a call");
  return results[request.body.params[0].data.slice(0, 10)];
};
const contextOf = (chain: string, body: unknown) =>
  createRecordedContext({ now_ms: NOW_MS, bodies: { [`evm_rpc POST ${chain}`]: body } });
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
};

describe("a Chainlink feed", () => {
  const round = (answer: bigint, updated_at: bigint) => rpc(encode(1n << 64n, answer, updated_at, updated_at, 1n));
  const fetchWith = (latest: unknown, decimals: unknown = rpc(encode(8n))) =>
    fetchChainlinkPrice(contextOf("base", contract({ "0xfeaf968c": latest, "0x313ce567": decimals })), {
      chain: "base",
      symbol: "BTC",
    });

  test("gives the answer scaled by its own decimals, and the update time", async () => {
    expect(await fetchWith(round(6_395_012_345_678n, TIME_S))).toEqual({
      chain: "base",
      price: 63_950.12345678,
      updated_at_ms: 1_790_000_000_000,
      feed: "0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F",
    });
    expect(await fetchWith(round(64_000n * 10n ** 18n, TIME_S), rpc(encode(18n)))).toMatchObject({ price: 64_000 });
  });

  test("with an answer of 0 or below is refused", async () => {
    expect(await kindOf(fetchWith(round(0n, TIME_S)))).toBe("upstream_bad_response");
    expect(await kindOf(fetchWith(round(-6_395_000_000_000n, TIME_S)))).toBe("upstream_bad_response");
  });

  test("with an incomplete round or one from the future is refused", async () => {
    expect(await kindOf(fetchWith(round(1n, 0n)))).toBe("upstream_bad_response");
    expect(await kindOf(fetchWith(round(1n, TIME_S + 71n)))).toBe("upstream_bad_response");
    expect(await kindOf(fetchWith(round(1n, 1n << 200n)))).toBe("upstream_bad_response");
  });

  test("with senseless decimals, no code, a revert or cut words is refused", async () => {
    const good = round(6_395_000_000_000n, TIME_S);
    expect(await kindOf(fetchWith(good, rpc(encode(77n))))).toBe("upstream_bad_response");
    for (const bad of [
      rpc("0x"),
      rpc(encode(1n)),
      rpc(`${encode(1n, 2n, 3n, 4n)}00`),
      rpc(null),
      { jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted", data: "0x" } },
      {},
      [],
      null,
    ]) {
      expect(await kindOf(fetchWith(bad))).toBe("upstream_bad_response");
    }
  });
});

describe("Pyth's contract", () => {
  const price = (values: { price?: bigint; conf?: bigint; expo?: bigint; time?: bigint }) =>
    rpc(encode(values.price ?? 14_748_123_456n, values.conf ?? 7_374_061n, values.expo ?? -8n, values.time ?? TIME_S));
  const fetchWith = (answer: unknown) =>
    fetchPythContractPrice(contextOf("base", contract({ "0x96834ad3": answer })), {
      chain: "base",
      feed_id: PYTH_FEEDS.SOL.feed_id,
    });

  test("gives price, interval and time, but no average and no slot", async () => {
    expect(await fetchWith(price({}))).toEqual({
      feed_id: PYTH_FEEDS.SOL.feed_id,
      price: 147.48123456,
      conf: 0.07374061,
      exponent: -8,
      publish_time_ms: 1_790_000_000_000,
      ema_price: null,
      ema_conf: null,
      verification: "full",
      path: "evm_contract",
      account: "0x8250f4aF4B972684F7b336503E2D6dFeDeB1487a",
      publish_slot: null,
      slot_kind: null,
      context_slot: null,
    });
  });

  test("asks for the feed by its id", async () => {
    const seen: string[] = [];
    const body = (request: { body: unknown }) => {
      if (isCall(request.body)) seen.push(request.body.params[0].data);
      return price({});
    };
    await fetchPythContractPrice(contextOf("ethereum", body), { chain: "ethereum", feed_id: PYTH_FEEDS.SOL.feed_id });
    expect(seen).toEqual([`0x96834ad3${PYTH_FEEDS.SOL.feed_id}`]);
  });

  test("with a price not above 0, a senseless exponent or a date in the future is refused", async () => {
    for (const bad of [{ price: 0n }, { price: -5n }, { expo: -300n }, { expo: 300n }, { time: TIME_S + 71n }]) {
      expect(await kindOf(fetchWith(price(bad)))).toBe("upstream_bad_response");
    }
  });
});
