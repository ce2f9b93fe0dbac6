import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { PYTH_FEEDS } from "../solana-rpc/pyth-feeds.ts";
import { fetchHermesPrice } from "./latest-price.ts";

const NOW_MS = 1_790_000_010_000;
const { feed_id } = PYTH_FEEDS.SOL;
const PRICE = { price: "14748123456", conf: "7374061", expo: -8, publish_time: 1_790_000_000 };
const PARSED = {
  id: feed_id,
  price: PRICE,
  ema_price: { price: "14750000000", conf: "8000000", expo: -8, publish_time: 1_790_000_000 },
  metadata: { slot: 161_371_489, proof_available_time: 1_790_000_001, prev_publish_time: 1_789_999_999 },
};
const answer = (parsed: unknown) => ({ binary: { encoding: "hex", data: ["504e41"] }, parsed: [parsed] });
const fetchWith = (body: unknown) => {
  const bodies = { [`pyth_hermes GET /v2/updates/price/latest?ids[]=0x${feed_id}&parsed=true`]: body };
  return fetchHermesPrice(createRecordedContext({ now_ms: NOW_MS, bodies }), feed_id);
};
const kindOf = async (body: unknown) => {
  const error = await fetchWith(body).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : "no error";
};

describe("a Hermes price", () => {
  test("of the documented shape is read; nobody checked its signatures", async () => {
    expect(await fetchWith(answer(PARSED))).toEqual({
      feed_id,
      price: 147.48123456,
      conf: 0.07374061,
      exponent: -8,
      publish_time_ms: 1_790_000_000_000,
      ema_price: 147.5,
      ema_conf: 0.08,
      verification: null,
      path: "hermes",
      account: null,
      publish_slot: 161_371_489,
      slot_kind: "pythnet_slot",
      context_slot: null,
    });
  });

  test("without a slot has neither slot nor kind", async () => {
    const parsed = { ...PARSED, metadata: { slot: null } };
    expect(await fetchWith(answer(parsed))).toMatchObject({ publish_slot: null, slot_kind: null });
  });

  test("of another feed, not above 0, from the future or of another shape is refused", async () => {
    for (const body of [
      answer({ ...PARSED, id: PYTH_FEEDS.BTC.feed_id }),
      answer({ ...PARSED, price: { ...PRICE, price: "0" } }),
      answer({ ...PARSED, price: { ...PRICE, price: "-14748123456" } }),
      answer({ ...PARSED, price: { ...PRICE, publish_time: 1_790_000_071 } }),
      answer({ ...PARSED, price: { ...PRICE, expo: 99 } }),
      answer({ ...PARSED, price: { ...PRICE, price: null } }),
      { parsed: [] },
      { parsed: null },
      {},
      null,
    ]) {
      expect(await kindOf(body)).toBe("upstream_bad_response");
    }
  });
});
