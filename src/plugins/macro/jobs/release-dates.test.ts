import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { mergeReleases, releaseDates, type StoredRelease } from "../releases/release-dates.ts";
import { job } from "./release-dates.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 22, 4, 40);
const on = (days: number, source = "bls"): StoredRelease => [NOW_MS + days * DAY_MS, source];

test("the past is kept, the future is the present calendar, and the publisher's own date wins", () => {
  const before = [on(-400), on(-30), on(-0.5), on(9), on(35)];
  const lists = [
    [on(-30), on(12)],
    [on(-31, "fred_api"), on(11, "fred_api"), on(40, "fred_api")],
  ];
  const merged = mergeReleases(lists, { before, read_ms: NOW_MS - DAY_MS });
  expect(merged).toEqual([on(-400), on(-30), on(-0.5), on(12), on(40, "fred_api")]);
  // One that came due since the last reading but one was never seen to have happened.
  expect(mergeReleases([[on(12)]], { before: [on(-30), on(-0.1)], read_ms: NOW_MS - 20 * DAY_MS })).toEqual([
    on(-30),
    on(12),
  ]);
});

test("releases a week apart are all kept", () => {
  const weeks = [on(-21), on(-14), on(-7), on(0)];
  expect(mergeReleases([[], weeks], { before: weeks.slice(0, 3), read_ms: NOW_MS - DAY_MS })).toEqual(weeks);
});

test("a calendar that falls silent leaves the known dates, and the job says so", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS, api_keys: { fred_api: "k" } });
  await job.run(node.createContext());
  const newest = (of: string) => releaseDates.newest(node.createContext(), { of });
  const [gdp, claims] = [await newest("gdp"), await newest("claims")];
  expect(new Set(gdp?.value.map(([, source]) => source))).toEqual(new Set(["bea", "fred_api"]));
  expect(claims?.value.filter(([at_ms]) => at_ms <= NOW_MS).length).toBeGreaterThan(600);
  for (const id of ["bea", "fred_api"]) node.upstreams.setFault(id, "http500");
  node.clock.advance(DAY_MS);
  await expect(job.run(node.createContext())).rejects.toThrow();
  expect(await newest("gdp")).toEqual(gdp);
  expect(await newest("claims")).toEqual(claims);
  expect((await newest("cpi"))?.at_ms).toBe(NOW_MS + DAY_MS);
  node.close();
});
