import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createRequest,
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import { openMarketDb } from "../stores/market-db.ts";
import { readSpentQuotas } from "../stores/quota-rows.ts";
import { createQuotaBook, getPeriod } from "./quotas.ts";

const servers: FakeServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const serve = (): FakeServer => {
  const server = startFakeServer((_request, n) => Response.json({ value: n }));
  servers.push(server);
  return server;
};
const LIMITS = { rate_per_s: 1_000, burst: 1_000, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 };

describe("a publisher's quotas", () => {
  test("a call beyond the day's quota is not made until the next day", async () => {
    const server = serve();
    const provider = createTestProvider({
      base_urls: [server.url],
      limits: { ...LIMITS, quotas: { day: 3, month: 100 } },
    });
    const node = createTestUpstream();
    const get = (cost = 1) => createRun(node).get(provider, createRequest({ cost }));
    await get();
    await get(2);
    const failure = await getFailure(get());
    expect([failure.kind, failure.own_limit]).toEqual(["upstream_rate_limited", false]);
    expect(failure.message).toContain("this day's quota is spent");
    expect(failure.retry_after_s).toBe(12 * 3_600);
    expect(server.requests.length).toBe(2);
    expect(node.upstream.quotas(provider)).toMatchObject([
      { period: "day", spent: 3, limit: 3, resets_at_ms: Date.UTC(2026, 2, 2) },
      { period: "month", spent: 3, limit: 100, resets_at_ms: Date.UTC(2026, 3, 1) },
    ]);
    node.clock.advance(12 * 3_600_000);
    expect((await get()).value).toBe(3);
  });

  test("the operator's plan may allow more", async () => {
    const provider = createTestProvider({ base_urls: [serve().url], limits: { ...LIMITS, quotas: { day: 1 } } });
    const node = createTestUpstream({ settings: { quotas: { day: 2 } } });
    const get = () => createRun(node).get(provider, createRequest());
    await get();
    await get();
    expect((await getFailure(get())).kind).toBe("upstream_rate_limited");
  });

  test("jobs leave the last fifth to buyers", () => {
    const book = createQuotaBook(createStillClock());
    const spend = (is_urgent: boolean) => book.spend({ provider: "a", quotas: { day: 10 }, cost: 1, is_urgent });
    for (let n = 0; n < 8; n += 1) expect(spend(false)).toBeNull();
    expect(spend(false)).toMatchObject({ period: "day" });
    expect(spend(true)).toBeNull();
    expect(spend(true)).toBeNull();
    expect(spend(true)).toMatchObject({ period: "day" });
  });

  test("use survives a restart, and a clock set back does not restore it", () => {
    const folder = mkdtempSync(join(tmpdir(), "quotas-"));
    folders.push(folder);
    const file = join(folder, "market.db");
    const clock = createStillClock();
    const spend = { provider: "a", quotas: { day: 2 }, cost: 1, is_urgent: true };
    const first = openMarketDb(file, { clock });
    expect(createQuotaBook(clock, first.quotas).spend(spend)).toBeNull();
    first.close();
    expect(readSpentQuotas(file).read()).toMatchObject([{ provider: "a", period: "day", spent: 1 }]);
    expect(readSpentQuotas(join(folder, "none.db")).read()).toEqual([]);
    const second = openMarketDb(file, { clock });
    const book = createQuotaBook(clock, second.quotas);
    expect(book.status("a", { day: 2 })).toMatchObject([{ spent: 1 }]);
    expect(book.spend(spend)).toBeNull();
    clock.advance(-86_400_000);
    expect(book.spend(spend)).not.toBeNull();
    second.close();
  });

  test("periods are those of the calendar, in UTC", () => {
    const at_ms = Date.parse("2028-02-29T23:59:59.999Z");
    expect(getPeriod("month", at_ms)).toEqual({ starts_at_ms: Date.UTC(2028, 1, 1), ends_at_ms: Date.UTC(2028, 2, 1) });
    expect(getPeriod("hour", at_ms).ends_at_ms).toBe(Date.UTC(2028, 2, 1));
  });
});

test("nodes that share a quota count together, and jobs leave a fifth of it", async () => {
  let all = 0;
  const together: SpendTogether = async ([part]) => {
    const over = part !== undefined && all + part.amount > part.limit ? part.name : null;
    const spent = [{ name: part?.name ?? "", spent: all }];
    if (over === null) all += part?.amount ?? 0;
    return { over, spent };
  };
  const clock = createStillClock();
  const [one, other] = [createQuotaBook(clock, undefined, together), createQuotaBook(clock, undefined, together)];
  const spend = (book: typeof one, is_urgent: boolean) =>
    book.spendTogether({ provider: "a", quotas: { day: 10 }, cost: 4, is_urgent });
  expect(await spend(one, false)).toBeNull();
  expect(await spend(other, false)).toBeNull();
  expect(await spend(one, false)).toMatchObject({ period: "day" });
  expect(one.status("a", { day: 10 })).toMatchObject([{ spent: 8 }]);
  expect(await spend(other, true)).toMatchObject({ period: "day" });
  expect(await one.spendTogether({ provider: "a", quotas: {}, cost: 4, is_urgent: true })).toBeNull();
});
