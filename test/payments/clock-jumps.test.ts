import { describe, expect, test } from "bun:test";
import { addHeaders, createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each([
  ["-1 h", -HOUR_MS],
  ["+1 h", HOUR_MS],
  ["+40 d", 40 * DAY_MS],
])("a clock that was wrong by %s for a moment", (_, jump_ms) => {
  test("leaves the duplicate guard neither shorter nor longer", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const buy = async () => {
      const payload = await signPayment({ account }, bench.clock.now());
      return bench.buy(v2Header(payload));
    };
    bench.clock.advance(jump_ms);
    await buy();
    bench.clock.advance(-jump_ms);
    // What was bought before the clock was put right is a day or an hour off; from then on everything counts again.
    bench.clock.advance(120_000);
    const settled_before = bench.calls.settle;
    const first = await buy();
    const second = await buy();
    expect(second.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(second.body).toBe(first.body);
    bench.clock.advance(61_000);
    expect((await buy()).headers["X-Duplicate-Payment-Avoided"]).toBeUndefined();
    expect(bench.calls.settle - settled_before).toBeGreaterThanOrEqual(1);
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test("never lets a settled payment be used again", async () => {
    const bench = createGateBench();
    const payload = await signPayment(
      { account: bench.newPayer(), validBefore_s: Math.floor(bench.clock.now() / 1000) + 50 * 86_400 },
      bench.clock.now(),
    );
    const headers = addHeaders(v2Header(payload), { "idempotency-key": "8e03978e-40d5-43e8" });
    const first = await bench.buy(headers);
    bench.clock.advance(jump_ms);
    const again = await bench.buy(headers).catch((error: Error) => error);
    bench.clock.advance(-jump_ms);
    const later = await bench.buy(headers);
    expect(later.body).toBe(first.body);
    expect(again instanceof Error ? "refused" : again.body).toBe(jump_ms > DAY_MS ? "refused" : first.body);
    expect(bench.calls.settle).toBe(1);
  });
});
