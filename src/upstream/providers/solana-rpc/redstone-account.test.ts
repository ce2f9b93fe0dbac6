import { describe, expect, test } from "bun:test";
import { isUnusable } from "../../../catalog/unusable.ts";
import { parseRedStoneAccount } from "./redstone-account.ts";
import { REDSTONE_PROGRAM } from "./redstone-feeds.ts";
import { encodeRedStoneAccount, type RedStoneAccountFields } from "./simulated-accounts.ts";

const NOW_MS = 1_790_000_010_000;
const VECTOR =
  "6HHB54XRzppTT0wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAANu7hqAAGxQxKABAAABsHBQ" +
  "xKABAACKwA0WAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const FIELDS: RedStoneAccountFields = {
  feed: "SOL",
  value: 14_746_000_000n,
  timestamp_ms: 1_790_000_000_000n,
  write_timestamp_ms: 1_790_000_001_200n,
  write_slot: 370_000_010n,
  decimals: 8,
};

/** The price, or why it is refused. */
const parse = (data: Uint8Array, owner = REDSTONE_PROGRAM) => {
  const price = parseRedStoneAccount({ address: "A", owner, data }, { feed: "SOL", now_ms: NOW_MS });
  return isUnusable(price) ? price.why : price;
};
const parseFields = (fields: Partial<RedStoneAccountFields>) => parse(encodeRedStoneAccount({ ...FIELDS, ...fields }));

describe("a RedStone account", () => {
  test("of known bytes gives the published values", () => {
    expect(parse(Buffer.from(VECTOR, "base64"))).toEqual({
      price: 147.46,
      timestamp_ms: 1_790_000_000_000,
      write_timestamp_ms: 1_790_000_001_200,
      write_slot: 370_000_010,
    });
  });

  test("is written by the simulator byte for byte as the known one", () => {
    expect(Buffer.from(encodeRedStoneAccount(FIELDS)).toString("base64")).toBe(VECTOR);
  });

  test("without a write time is eight bytes shorter and read all the same", () => {
    expect(encodeRedStoneAccount({ ...FIELDS, write_timestamp_ms: null })).toHaveLength(154);
    expect(parseFields({ write_timestamp_ms: null })).toEqual({
      price: 147.46,
      timestamp_ms: 1_790_000_000_000,
      write_timestamp_ms: null,
      write_slot: 370_000_010,
    });
  });

  test("of another program, kind, feed or length is refused", () => {
    const data = encodeRedStoneAccount(FIELDS);
    expect(parse(data, "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ")).toContain("another program");
    expect(parseFields({ feed: "SOLX" })).toContain("another feed");
    expect(parseFields({ feed: "BTC" })).toContain("another feed");
    expect(parse(data.slice(0, 161))).toContain("161 bytes");
    expect(parse(data.slice(0, 80))).toContain("80 bytes");
    expect(parse(new Uint8Array(2_000))).toContain("2000 bytes");
    data[7] = 0;
    expect(parse(data)).toContain("no price");
  });

  test("with a tag that is neither 0 nor 1 is refused", () => {
    const data = encodeRedStoneAccount(FIELDS);
    data[80] = 2;
    expect(parse(data)).toContain("tag");
  });

  test("with a price of 0 or senseless decimals is refused", () => {
    expect(parseFields({ value: 0n })).toContain("not above 0");
    expect(parseFields({ decimals: 200 })).toContain("200 decimals");
  });

  test("dated more than 60 s in the future or not at all is refused", () => {
    expect(typeof parseFields({ timestamp_ms: BigInt(NOW_MS + 60_000) })).toBe("object");
    expect(parseFields({ timestamp_ms: BigInt(NOW_MS + 60_001) })).toContain("future");
    expect(parseFields({ timestamp_ms: 0n })).toContain("cannot be read");
  });
});
