import { expect, test } from "bun:test";
import type { CheckReport } from "./check-report.ts";
import { renderSummary } from "./check-summary.ts";

const NOTHING: CheckReport = {
  products: [],
  withheld: [],
  withheld_values: [],
  unused_providers: [],
  quotas: [],
  models: [],
  faults: [],
  notes: [],
  networks: [],
  receives: [],
  facilitators: [],
};

const sold = (path: `/${string}`, price_usd: string) => ({ path, price_usd, tiers: {}, file: "built-in" });

const unused = (provider: string, why: string, turns_on: string[], read_by: string[] = []) => ({
  provider,
  why,
  turns_on,
  read_by,
  jobs: [],
});

test("products on sale are summed up as a count and a range of prices", () => {
  const products = [sold("/b", "0.10"), sold("/a", "0.003"), sold("/c", "0.02")];
  expect(renderSummary("node.toml", { ...NOTHING, products }).slice(0, 2)).toEqual([
    "node.toml: valid",
    "  sells     3 products, 0.003 to 0.10 USD each",
  ]);
});

test("products of the operator's own plugins are named", () => {
  const products = [sold("/a", "0.003"), { ...sold("/local", "0.01"), file: "/srv/node/plugins/local.ts" }];
  expect(renderSummary("node.toml", { ...NOTHING, products })).toContain("            of your own plugins: /local");
});

test("each reason for withholding has one line, which joins values of one parameter", () => {
  const why = "needs [providers.x] api_key";
  const lacking = { path: "/q", param: "market", why, for_buyers: "no" };
  const withheld_values = ["A", "B", "C", "D", "E", "F"].map((value) => ({ ...lacking, value }));
  const withheld = [{ path: "/llm" as const, why: "needs a [[models]] entry", for_buyers: "no" }];
  const lines = renderSummary("node.toml", { ...NOTHING, withheld, withheld_values });
  expect(lines).toContain("  withholds 1 product and 6 values of parameters:");
  expect(lines).toContain("            /llm: needs a [[models]] entry");
  expect(lines).toContain("            /q?market=A, B, C, D and 2 more: needs [providers.x] api_key");
});

test("proposals begin with settings that sell whole products; a setting for two providers counts once", () => {
  const mail = "needs [node] contact_email";
  const unused_providers = [
    unused("values", "needs [providers.values] api_key", ["/q?market=A", "/q?market=B", "/q?market=C"]),
    unused("backing", "needs [providers.backing] api_key", [], ["/a", "/b"]),
    unused("sec", mail, ["/filing"]),
    unused("wikipedia", mail, [], ["/search"]),
    unused("nothing", "needs [providers.nothing] api_key", []),
  ];
  const lines = renderSummary("node.toml", { ...NOTHING, unused_providers });
  expect(lines.filter((line) => line.startsWith("  add"))).toEqual([
    "  add       [node] contact_email (sec, wikipedia): sells /filing; one more source of 1 product",
    "  add       [providers.values] api_key (values): sells /q?market=A, B, C",
    "  add       [providers.backing] api_key (backing): one more source of 2 products",
  ]);
});

test("of all checks only those with a problem have a line, and faults come last", () => {
  const online = [
    { area: "rpc" as const, subject: "a.example", level: "ok" as const, says: "answers" },
    { area: "clock" as const, subject: "system", level: "warn" as const, says: "is 3 s behind" },
  ];
  const faults = [{ file: "x.ts", line: 3, message: "no category" }];
  const lines = renderSummary("node.toml", { ...NOTHING, online, faults });
  expect(lines).toContain("  ok        1 of 2 that were asked");
  expect(lines.some((line) => line.includes("is 3 s behind"))).toBe(true);
  expect(lines.at(-1)).toContain("refuses   x.ts:3");
});

test("a quota has a line once most of it is spent", () => {
  const quota = { provider: "brave", period: "month" as const, limit: 100, starts_at_ms: 0, resets_at_ms: 1 };
  const shown = (spent: number) =>
    renderSummary("node.toml", { ...NOTHING, quotas: [{ ...quota, spent }] }).filter((line) => line.includes("quota"));
  expect(shown(79)).toEqual([]);
  expect(shown(80)).toHaveLength(1);
});
