import { describe, expect, test } from "bun:test";
import { isUnusable } from "../../../catalog/unusable.ts";
import { getNewest, type PythPrice } from "../pyth-price.ts";
import { parsePythAccount } from "./pyth-account.ts";
import { PYTH_FEEDS, PYTH_RECEIVERS } from "./pyth-feeds.ts";
import { encodePythAccount, type PythAccountFields } from "./simulated-accounts.ts";

const NOW_MS = 1_790_000_010_000;
const VECTOR =
  "IvEjY51+9M0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQHvDYtv2izrpB2hXUCV0do5Kg0vjtDGx7wPTPrIwoC1bUCBDm8DAAAA" +
  "7YRwAAAAAAD4////gDuxagAAAAB/O7FqAAAAAIAjK28DAAAAABJ6AAAAAACAwA0WAAAAAAA=";

const FIELDS: PythAccountFields = {
  feed_id: PYTH_FEEDS.SOL.feed_id,
  price: 14_748_123_456n,
  conf: 7_374_061n,
  exponent: -8,
  publish_time_s: 1_790_000_000n,
  prev_publish_time_s: 1_789_999_999n,
  ema_price: 14_750_000_000n,
  ema_conf: 8_000_000n,
  posted_slot: 370_000_000n,
};

/** The price, or why it is refused. */
const parse = (data: Uint8Array, owner: string = PYTH_RECEIVERS.classic, now_ms = NOW_MS) => {
  const price = parsePythAccount({ address: "A", owner, data }, { feed: PYTH_FEEDS.SOL, slot: 370_000_020, now_ms });
  return isUnusable(price) ? price.why : price;
};
const parseFields = (fields: Partial<PythAccountFields>) => parse(encodePythAccount({ ...FIELDS, ...fields }));

describe("a Pyth account", () => {
  test("of known bytes gives the published values", () => {
    expect(parse(Buffer.from(VECTOR, "base64"))).toEqual({
      feed_id: PYTH_FEEDS.SOL.feed_id,
      price: 147.48123456,
      conf: 0.07374061,
      exponent: -8,
      publish_time_ms: 1_790_000_000_000,
      ema_price: 147.5,
      ema_conf: 0.08,
      verification: "full",
      path: "solana_push_feed",
      account: "A",
      publish_slot: 370_000_000,
      slot_kind: "solana_posted_slot",
      context_slot: 370_000_020,
    });
  });

  test("is written by the simulator byte for byte as the known one", () => {
    expect(Buffer.from(encodePythAccount(FIELDS)).toString("base64")).toBe(VECTOR);
  });

  test("of either receiver program is read, of any other refused", () => {
    const data = encodePythAccount(FIELDS);
    expect(typeof parse(data, PYTH_RECEIVERS.upgraded)).toBe("object");
    expect(parse(data, "pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT")).toContain("another program");
  });

  test("whose signatures were checked in part only is refused", () => {
    expect(parseFields({ partial: 5 })).toContain("not checked in full");
  });

  test("of another feed, another kind or another length is refused", () => {
    expect(parseFields({ feed_id: PYTH_FEEDS.BTC.feed_id })).toContain("another feed");
    const data = encodePythAccount(FIELDS);
    expect(parse(data.slice(0, 133))).toContain("133 bytes");
    expect(parse(new Uint8Array())).toContain("0 bytes");
    data[0] = 0;
    expect(parse(data)).toContain("no price update");
  });

  test("with a price that is not above 0 is refused", () => {
    expect(parseFields({ price: 0n, conf: 0n })).toContain("not above 0");
    expect(parseFields({ price: -14_748_123_456n })).toContain("not above 0");
  });

  test("with an interval as wide as the price is refused", () => {
    expect(parseFields({ conf: 14_748_123_456n })).toContain("interval");
    expect(parseFields({ conf: 2n ** 64n - 1n })).toContain("interval");
  });

  test("with an exponent beyond all sense is refused", () => {
    expect(parseFields({ exponent: -2_000_000_000 })).toContain("not above 0");
    expect(parseFields({ exponent: 400 })).toContain("not above 0");
  });

  test("published more than 60 s in the future is refused, an old one is handed over with its date", () => {
    expect(typeof parseFields({ publish_time_s: 1_790_000_070n })).toBe("object");
    expect(parseFields({ publish_time_s: 1_790_000_071n })).toContain("future");
    expect(parseFields({ publish_time_s: 1n })).toMatchObject({ publish_time_ms: 1_000 });
    expect(parseFields({ publish_time_s: 0n })).toContain("cannot be read");
    expect(parseFields({ publish_time_s: 2n ** 62n })).toContain("cannot be read");
  });
});

test("of several reads the one published last wins, the first of equals", () => {
  const first = parseFields({});
  const later = parseFields({ publish_time_s: 1_790_000_001n });
  if (typeof first === "string" || typeof later === "string") throw new Error("not decoded");
  const twin: PythPrice = { ...first, account: "B" };
  expect(getNewest([first, later])).toBe(later);
  expect(getNewest([first, twin])).toBe(first);
  expect(getNewest([])).toBeUndefined();
});
