import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_CHANGES } from "../../../test/helpers/no-changes.ts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { createSlots } from "../../calls/slots.ts";
import { createWorkBudget } from "../../calls/work-budget.ts";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { ParsedParams } from "../../catalog/params.ts";
import { createApiKeys, hashApiKey } from "../../core/api-key.ts";
import { openLedger } from "../../ledger/ledger.ts";
import { createKeyAccess } from "./key-access.ts";

const HOUR_MS = 3_600_000;
const keys = createApiKeys(new Uint8Array(32).fill(7));

/** The way keys pay, with a product that answers when the test says so. */
async function open({ pass = false, at_once_max = 100 } = {}) {
  const clock = createStillClock();
  const ledger = openLedger({ file: join(mkdtempSync(join(tmpdir(), "key-access-")), "ledger.db"), clock });
  const waiting: (() => void)[] = [];
  let produced = 0;
  const produce = async () => {
    produced += 1;
    const n = produced;
    await new Promise<void>((end) => waiting.push(end));
    return { body: `{"n":${n}}`, as_of_ms: 0, expires_at_ms: 0 };
  };
  const slots = createSlots({
    slots: 4,
    queue_max: 1_000,
    holder_queue_max: 500,
    shares: [1, 1, 1, 1, 1],
    dedicated_share: 0,
  });
  const runner = { fresh: () => null, produce, produceSnapshots: async () => [] };
  const access = createKeyAccess({
    ledger,
    runner,
    clock,
    slots,
    countCall: () => null,
    at_once_max,
    changes: NO_CHANGES,
    work: createWorkBudget({ clock, per_minute: 30, ms_per_unit: 1_000, atomic_per_unit: 50_000n }),
    limitOf: () => null,
  });
  const issue = async (n: number) => {
    const key = keys.derive(keys.newSalt());
    const issued = { public_id: `key_${n}`, hash: hashApiKey(key), salt: null, label: null, purchaser: "0xpayer" };
    const grant = { plan: "plan", credit: 1_000_000n, duration_ms: HOUR_MS, pass, priority: 1, badge: null };
    await ledger.keys.issue(issued, grant, { by: "operator" });
    return key;
  };
  const call = (key: string, { name = "", fingerprint = "request" } = {}) =>
    access
      .serve({
        product: {
          id: "one",
          path: "/one",
          price_atomic: 10_000n,
          metering: null,
          definition: {},
        } as unknown as CatalogProduct,
        request: {} as unknown as ParsedParams,
        fingerprint,
        headers: new Headers({ "x-api-key": key, ...(name === "" ? {} : { "idempotency-key": name }) }),
        client: "192.0.2.1",
        gone: new AbortController().signal,
      })
      .then(
        ({ body }) => body,
        (error: { code: string }) => error.code,
      );
  /** Lets everything be produced that waits, and whatever follows it. */
  const release = async () => {
    for (let quiet = 0; quiet < 20; ) {
      const end = waiting.shift();
      quiet = end ? 0 : quiet + 1;
      end?.();
      await Bun.sleep(1);
    }
  };
  return { ledger, issue, call, release, slots, produced: () => produced };
}

describe("two requests with one Idempotency-Key at once", () => {
  test("for the same request are one call: both get its answer, charged once", async () => {
    const { ledger, issue, call, release } = await open();
    const key = await issue(1);
    const both = [call(key, { name: "order-1" }), call(key, { name: "order-1" })];
    await release();
    expect(await Promise.all(both)).toEqual(['{"n":1}', '{"n":1}']);
    expect(await ledger.keys.usage((await ledger.keys.byPublicId("key_1"))?.id ?? 0)).toMatchObject({
      calls: 1,
      spent: 10_000n,
    });
  });

  test("for two requests are one call and a 409 that charges nothing", async () => {
    const { ledger, issue, call, release } = await open();
    const key = await issue(1);
    const first = call(key, { name: "order-1", fingerprint: "a" });
    const second = call(key, { name: "order-1", fingerprint: "b" });
    expect(await second).toBe("request_in_progress");
    await release();
    expect(await first).toBe('{"n":1}');
    expect(await call(key, { name: "order-1", fingerprint: "b" })).toBe("identifier_conflict");
    expect(await ledger.keys.usage((await ledger.keys.byPublicId("key_1"))?.id ?? 0)).toMatchObject({
      calls: 1,
      spent: 10_000n,
    });
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("of two keys have nothing to do with each other, and a name is free again when its call failed", async () => {
    const { issue, call, release } = await open();
    const [one, two] = [await issue(1), await issue(2)];
    const both = [call(one, { name: "order", fingerprint: "a" }), call(two, { name: "order", fingerprint: "b" })];
    await release();
    expect((await Promise.all(both)).sort()).toEqual(['{"n":1}', '{"n":2}']);
    expect(await call(one, { name: "x".repeat(300) })).toBe("invalid_parameter");
    const named = call(one, { name: "other" });
    await release();
    expect(await named).toBe('{"n":3}');
  });
});

describe.each([
  ["a pass", true],
  ["a balance", false],
])("a key with %s", (_what, pass) => {
  test("has so many calls under way at once and no more; another key is served meanwhile", async () => {
    const { issue, call, release, slots } = await open({ pass, at_once_max: 10 });
    const [greedy, other] = [await issue(1), await issue(2)];
    const calls = Array.from({ length: 50 }, () => call(greedy));
    const own = call(other);
    await release();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((one) => one === "rate_limited")).toHaveLength(40);
    expect(await own).toStartWith('{"n"');
    // No rate: the next ten are served again.
    const next = Array.from({ length: 10 }, () => call(greedy));
    await release();
    expect((await Promise.all(next)).every((one) => one.startsWith('{"n"'))).toBe(true);
    expect(slots).toMatchObject({ busy: 0, waiting: 0 });
  });

  test("that was used before is refused once it is revoked", async () => {
    const { ledger, issue, call, release } = await open({ pass });
    const key = await issue(1);
    for (const body of ['{"n":1}', '{"n":2}']) {
      const served = call(key);
      await release();
      expect(await served).toBe(body);
    }
    await ledger.keys.revoke("key_1");
    expect(await call(key)).toBe("api_key_revoked");
  });

  test("with 2,300 connections does not keep a single buyer from the next free slot", async () => {
    const { issue, call, release } = await open({ pass, at_once_max: 256 });
    const [greedy, buyer] = [await issue(1), await issue(2)];
    const calls = Array.from({ length: 2_300 }, () => call(greedy));
    const own = call(buyer);
    let done_before = 0;
    for (const one of calls) void one.then((body) => (done_before += body.startsWith("{") ? 1 : 0));
    const before = own.then(() => done_before);
    await release();
    expect(await own).toStartWith('{"n"');
    // Four slots were taken when it came, and it was the next of its class but one.
    expect(await before).toBeLessThanOrEqual(8);
    expect((await Promise.all(calls)).filter((one) => one === "rate_limited")).toHaveLength(2_300 - 256);
  });
});
