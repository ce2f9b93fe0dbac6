import { expect, test } from "bun:test";
import { MARINADE_PROGRAM, readers, readMarinade } from "./marinade.ts";

/**
 * The first 609 bytes of Marinade's state account on mainnet in epoch 538, as kept by igneous-labs/S,
 * test-fixtures/marinade-state.json.
 */
const RECORDED = Buffer.from(
  "2JJrXmhLtrELYroHT3IsnUEU8tj3CgDGYAIze5v5DIc2V6bSAdtMgCz0pOqMnBuYfUelv3scmcjjaofs/kslxbI+gD7+Ut+uBUgIyFQ6" +
    "IYjxB+Q/T7zxEClk6CWihjZSQ/1YHiZkAAyUupJ+KKToqJZx7UJwZ9wkAWDSf0aWriv0Dv97EAFr4P/98B0fAAAAAABYAgAAkXxLkU5T" +
    "maKSfT1u3GUbZ6yxn8JqR8F+QHm/uCY9TmU4AAAAvgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
    "//9QRgAAAAAAABoCAAAAAAAAAMqaOwAAAACFAAAAwDIL/Z2D7Ta752Tw4gzH+4TU3CHhPclFCUyyyPHhXrM9AAAAvQcAAAAAAAAAAAAA" +
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAdR9Kpe1JTzUGRftDGNRRAbroO6ggkMRgTSWqrx/VWyk+NbAEtwb+croRUAAAT3xv1G" +
    "EmfOZWpZn+8+77eG7hSUZQYRGrRQHOtpsr0a//7/XSpe5WhcF+B87eW++YMA1BcOu+LZnwZMS7Be6Xs13n0AUIpxGRMAAIQDAAABAAAA" +
    "iBMAAAlLqQaRBQAAAAAAAAAAAAD//////////18cL6vyWgAAmeaiALD/EgA/dsomAQAAAFQDAAAAAAAA6EFq6nMbAAAAAAAAAAAAAAEA" +
    "AAAAAAAAAQAAAAAAAAD//////////wAAAAAAAAAAkI1cukqxvvmHbzHoCpbW25/Jsuhuk7o3gXFWXUu9zhcA",
  "base64",
);

test("Marinade: the recorded state's price is its stake by its tokens, as the program's own README has it", () => {
  const read = readMarinade({ owner: MARINADE_PROGRAM, data: RECORDED });
  expect(read).toMatchObject({ is_paused: false, cap_used_pct: null, rewards: [], rate_apy_pct: null });
  // All stake without what waits to be paid out, and the tokens at byte 504: figures the price is not made of here.
  expect(read?.locked).toBe("6157998081985218");
  const tokens = RECORDED.readBigUInt64LE(504);
  expect(read?.share_price).toBeCloseTo(Number(read?.locked) / Number(tokens), 8);
  expect(read?.share_price).toBeCloseTo(1.151526823, 8);
});

test("Marinade: a pause and a cap are shown; other accounts are not read", () => {
  const data = Buffer.from(RECORDED);
  data.writeUInt8(1, 608);
  data.writeBigUInt64LE(6_500_000_000_000_000n, 560);
  const read = readMarinade({ owner: MARINADE_PROGRAM, data });
  expect(read?.is_paused).toBe(true);
  // Under control: 6,088,184.449 SOL staked and 99,998.301 in reserve, of a cap of 6,500,000.
  expect(read?.cap_used_pct).toBeCloseTo((6_188_182.75 / 6_500_000) * 100, 4);
  expect(readMarinade({ owner: "11111111111111111111111111111111", data })).toBeNull();
  expect(readMarinade({ owner: MARINADE_PROGRAM, data: data.subarray(0, 608) })).toBeNull();
  data.writeUInt8(0, 0);
  expect(readMarinade({ owner: MARINADE_PROGRAM, data })).toBeNull();
  const state = Buffer.from(RECORDED);
  state.writeBigUInt64LE(0n, 512);
  expect(readMarinade({ owner: MARINADE_PROGRAM, data: state })).toBeNull();
  expect(readers[0]).toMatchObject({ underlying: "SOL", decimals: 9, days_min: 7 });
});
