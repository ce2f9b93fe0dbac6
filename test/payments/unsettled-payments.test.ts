import { describe, expect, test } from "bun:test";
import { createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";
import { createStillClock } from "../helpers/still-clock.ts";

type Bench = ReturnType<typeof createGateBench>;
type Payer = ReturnType<Bench["newPayer"]>;

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "paid",
    (error: { code: string }) => error.code,
  );
const REFUSED = { kind: "refused", reason: "insufficient_funds", transaction: "" } as const;

/** A wallet that holds so many prices: what is verified against what it holds now, and paid once. */
function fund(bench: Bench, prices: number) {
  let left = prices;
  let at_once = 0;
  let at_once_max = 0;
  bench.script.verify = async () =>
    left > 0 ? { kind: "valid" } : { kind: "invalid", reason: "invalid_exact_evm_insufficient_balance" };
  const { produce } = bench.script;
  bench.script.produce = async () => {
    at_once += 1;
    at_once_max = Math.max(at_once_max, at_once);
    await Bun.sleep(1);
    at_once -= 1;
    return produce();
  };
  bench.script.settle = async () => {
    if (left <= 0) return REFUSED;
    left -= 1;
    return { kind: "settled", transaction: `0xtx${bench.calls.settle}` };
  };
  return { atOnceMax: () => at_once_max };
}
const send = async (bench: Bench, account: Payer, path = "/one") =>
  outcomeOf(bench.buy(v2Header(await signPayment({ account }, bench.clock.now())), path));

describe("a wallet that signs more than it holds", () => {
  test("with one price and 30 payments makes the node work three times at most, and one is paid", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0 });
    const { atOnceMax } = fund(bench, 1);
    const account = bench.newPayer();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => send(bench, account)));
    expect(outcomes.filter((one) => one === "paid")).toHaveLength(1);
    expect(atOnceMax()).toBeLessThanOrEqual(3);
    expect(bench.calls.produce).toBeLessThanOrEqual(3);
    expect(bench.calls.settle).toBeLessThanOrEqual(3);
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test("that holds enough is served whatever it sends at once", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0 });
    fund(bench, 50);
    const account = bench.newPayer();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => send(bench, account)));
    expect(outcomes).toEqual(Array(50).fill("paid"));
  });

  test("and paid for many before has more at once, and three again after the first refused settlement", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0, clock: createStillClock(Date.now()) });
    const account = bench.newPayer();
    const { atOnceMax } = fund(bench, 30);
    await Promise.all(Array.from({ length: 30 }, () => send(bench, account)));
    // The bench has four slots.
    expect(atOnceMax()).toBe(4);
    const produced = bench.calls.produce;
    bench.script.verify = async () => ({ kind: "valid" });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => send(bench, account)));
    expect(outcomes.filter((one) => one === "paid")).toEqual([]);
    expect(bench.calls.produce - produced).toBeLessThanOrEqual(30 / 3 + 3);
    expect(outcomes.filter((one) => one === "rate_limited").length).toBeGreaterThanOrEqual(27);
  });

  test("has to wait longer after each refused settlement, until one is paid", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0, clock: createStillClock(Date.now()) });
    const works = bench.script.settle;
    bench.script.settle = async () => REFUSED;
    const account = bench.newPayer();
    const seen: string[] = [];
    for (let n = 0; n < 4; n++) seen.push(await send(bench, account));
    expect(seen).toEqual(["settlement_failed", "settlement_failed", "settlement_failed", "rate_limited"]);
    bench.clock.advance(2_000);
    expect(await send(bench, account)).toBe("settlement_failed");
    bench.clock.advance(3_000);
    const refusal = await refusalOf(bench.buy(v2Header(await signPayment({ account }, bench.clock.now()))));
    expect(refusal).toMatchObject({ code: "rate_limited" });
    // Nobody else waits for it.
    expect(await send(bench, bench.newPayer())).toBe("settlement_failed");
    bench.script.settle = works;
    bench.clock.advance(1_000);
    expect(await send(bench, account)).toBe("paid");
    bench.script.settle = async () => REFUSED;
    expect(await send(bench, account)).toBe("settlement_failed");
    expect(await send(bench, account)).toBe("settlement_failed");
  });

  test("with three unknown settlements makes no fourth, but gets the state of each of the three", async () => {
    const bench = createGateBench();
    const works = bench.script.settle;
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    const account = bench.newPayer();
    const paths = ["/one", "/two", "/plan"];
    for (const path of paths) expect(await send(bench, account, path)).toBe("settlement_unknown");
    for (const path of paths) expect(await send(bench, account, path)).toBe("settlement_unknown");
    const another = createGateBench();
    expect(await send(another, account)).toBe("paid");
    expect(bench.calls.settle).toBe(3);
    bench.script.settle = works;
    expect(await send(bench, bench.newPayer())).toBe("paid");
  });
});

describe("a sender of garbage in a wallet's name", () => {
  test("that keeps a facilitator busy holds no slot anybody else could use", async () => {
    const bench = createGateBench();
    const stuck = Promise.withResolvers<void>();
    bench.script.verify = async () => {
      await stuck.promise;
      return { kind: "unavailable", cause: "no answer in 10000 ms" };
    };
    const forge = async () => {
      const { authorization } = await signPayment({ account: bench.newPayer() });
      return v2Header({ signature: `0x${"11".repeat(200)}`, authorization });
    };
    const hostile = Array.from({ length: 20 }, async (_, n) =>
      outcomeOf(bench.buy(await forge(), "/one", undefined, `203.0.113.${n}`)),
    );
    while (bench.calls.verify < 2) await Bun.sleep(1);
    bench.script.verify = async () => ({ kind: "valid" });
    for (let n = 0; n < 8; n++) expect(await send(bench, bench.newPayer())).toBe("paid");
    stuck.resolve();
    const outcomes = await Promise.all(hostile);
    expect(outcomes.filter((one) => one === "facilitator_unavailable")).toHaveLength(2);
  });

  test("does not take its owner's place, nor makes him wait for it", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const released = Promise.withResolvers<void>();
    const stuck = async () => {
      await released.promise;
      return { kind: "invalid", reason: "invalid_exact_evm_signature" } as const;
    };
    bench.script.verify = stuck;
    const forge = async () => {
      const { authorization } = await signPayment({ account: bench.newPayer() });
      return v2Header({
        signature: `0x${"11".repeat(200)}`,
        authorization: { ...authorization, from: account.address },
      });
    };
    const hostile = ["/one", "/two"].map(async (path) => outcomeOf(bench.buy(await forge(), path)));
    while (bench.calls.verify < 2) await Bun.sleep(1);
    bench.script.verify = async () => ({ kind: "valid" });
    expect(await send(bench, account)).toBe("paid");
    released.resolve();
    expect(await Promise.all(hostile)).toEqual(Array(2).fill("invalid_payment"));
  });
});
