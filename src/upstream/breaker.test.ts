import { describe, expect, test } from "bun:test";
import { type BreakerState, createBreaker } from "./breaker.ts";

const OK = { ok: true };
const FAILED = { ok: false, counts: true };
const OURS = { ok: false };

function createTried(start_ms = 1_000_000) {
  let now_ms = start_ms;
  const changes: BreakerState[] = [];
  const breaker = createBreaker({ now: () => now_ms }, (state) => changes.push(state));
  return {
    breaker,
    changes,
    pass: (ms: number) => {
      now_ms += ms;
    },
    fail: async (times: number) => {
      for (let n = 0; n < times; n += 1) await breaker.run(async () => FAILED);
    },
  };
}

describe("a breaker", () => {
  test("opens after five failures in a row, not before, and states since when it is open", async () => {
    const { breaker, changes, fail } = createTried();
    await fail(4);
    await breaker.run(async () => OK);
    await fail(4);
    expect([breaker.state(), breaker.shut_since_ms()]).toEqual(["closed", null]);
    await fail(1);
    expect([breaker.state(), breaker.isReady(), breaker.remaining_ms()]).toEqual(["open", false, 10_000]);
    expect(breaker.shut_since_ms()).toBe(1_000_000);
    await expect(breaker.run(async () => OK)).rejects.toThrow("shut off");
    expect(changes).toEqual(["open"]);
  });

  test("a failure that is not the address's fault ends the row", async () => {
    const { breaker, fail } = createTried();
    await fail(4);
    await breaker.run(async () => OURS);
    await fail(1);
    expect(breaker.state()).toBe("closed");
  });

  test("lets one call try after ten seconds; a failure opens it again, counted from the first opening", async () => {
    const { breaker, changes, fail, pass } = createTried();
    await fail(5);
    pass(9_999);
    expect(breaker.state()).toBe("open");
    pass(1);
    expect([breaker.state(), breaker.isReady(), breaker.remaining_ms()]).toEqual(["half_open", true, 0]);
    await fail(1);
    expect([breaker.state(), breaker.remaining_ms(), breaker.shut_since_ms()]).toEqual(["open", 10_000, 1_000_000]);
    pass(10_000);
    await breaker.run(async () => OK);
    expect([breaker.state(), breaker.shut_since_ms()]).toEqual(["closed", null]);
    expect(changes).toEqual(["open", "half_open", "open", "half_open", "closed"]);
    await fail(4);
    expect(breaker.state()).toBe("closed");
  });

  test("lets a call during a trial wait for the outcome", async () => {
    const { breaker, fail, pass } = createTried();
    await fail(5);
    pass(10_000);
    const trial = Promise.withResolvers<typeof OK>();
    const first = breaker.run(() => trial.promise);
    expect([breaker.state(), breaker.isReady()]).toEqual(["half_open", false]);
    let is_second_made = false;
    const second = breaker.run(async () => {
      is_second_made = true;
      return OK;
    });
    await Promise.resolve();
    expect(is_second_made).toBe(false);
    trial.resolve(OK);
    expect(await Promise.all([first, second])).toEqual([OK, OK]);
  });

  test("is closed by a trial that throws, which is our own fault", async () => {
    const { breaker, fail, pass } = createTried();
    await fail(5);
    pass(10_000);
    const thrown = new Error("a bug");
    await expect(breaker.run(() => Promise.reject(thrown))).rejects.toBe(thrown);
    await Promise.resolve();
    await Promise.resolve();
    expect(breaker.state()).toBe("closed");
  });

  test("ignores results of calls sent before it opened", async () => {
    const { breaker, fail } = createTried();
    const late = Promise.withResolvers<typeof OK>();
    const early = breaker.run(() => late.promise);
    await fail(5);
    late.resolve(OK);
    await early;
    expect(breaker.state()).toBe("open");
  });

  test("does not stay open longer when the clock is set back", async () => {
    const { breaker, fail, pass } = createTried();
    await fail(5);
    pass(-3_600_000);
    expect([breaker.state(), breaker.isReady()]).toEqual(["half_open", true]);
  });
});
