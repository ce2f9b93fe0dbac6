import { expect, test } from "bun:test";
import { readRows } from "../../../../test/helpers/read-rows.ts";
import { settled } from "../../../../test/helpers/settled.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { type CurrentFiling, readCurrentFilings } from "../providers/sec/current-filings.ts";
import { computeSecFilings, listSecFilings, replaySecFilings } from "./compute.ts";
import { scoreFiling } from "./items.ts";
import type { SecFilingData } from "./schema.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const score = (items: string, form = "8-K") => scoreFiling(form, items.split(",")).score;

test("the published scores: the heaviest item, further ones, amendments", () => {
  expect(["1.01,2.03,9.01", "5.02,7.01,9.01", "4.02,2.02,9.01", "3.01,9.01"].map((one) => score(one))).toEqual([
    65, 60, 100, 80,
  ]);
  expect(score("2.02", "8-K/A")).toBe(45);
  expect([scoreFiling("NT 10-K", []).score, scoreFiling("SCHEDULE 13D/A", []).score, score("6.01")]).toEqual([
    70, 55, 0,
  ]);
});

const filing = (accepted: string, rest: Partial<CurrentFiling> = {}): CurrentFiling => ({
  accession: accepted,
  cik: 320_193,
  company: "Apple Inc.",
  role: "Filer",
  form: "8-K",
  items: ["2.02"],
  accepted_ms: Date.parse(accepted),
  url: "https://www.sec.gov/Archives/x",
  ...rest,
});
const inputsOf = (filings: readonly CurrentFiling[], counts: readonly Record<string, number>[] = []) => ({
  filings,
  tickers: null,
  exchange: { mic: "XNYS", own: [] },
  counts,
  warnings: [],
  now_ms: Math.max(0, ...filings.map(({ accepted_ms }) => accepted_ms)),
  known_at: "2026-10-01",
});
const compute = (filings: readonly CurrentFiling[], counts: readonly Record<string, number>[] = []) =>
  listSecFilings(inputsOf(filings, counts));

test("16:30 in New York is after hours, on both sides of summer time", () => {
  const rows = compute([filing("2026-04-30T20:30:41Z"), filing("2026-04-30T19:59:00Z")]).filings;
  expect(rows.map(({ after_hours }) => after_hours)).toEqual([true, false]);
  expect(compute([filing("2026-01-29T20:30:00Z")]).filings[0]?.after_hours).toBe(false);
  expect(compute([filing("2026-01-29T21:30:33Z")]).filings[0]?.after_hours).toBe(true);
});

test("a filing is listed once, under the company it is about; the window ends with the newest one", () => {
  const by = filing("2026-09-30T15:00:00Z", { accession: "a", role: "Filed by", company: "A fund", cik: 7 });
  const about = { ...by, role: "Subject", company: "A target", cik: 8 };
  const data = compute([by, about, filing("2026-09-29T14:59:00Z"), filing("2026-10-01T14:00:00Z")]);
  expect(data).toMatchObject({ filings_seen: 2, from: "2026-09-30T14:00:00Z", to: "2026-10-01T14:00:00Z" });
  expect(data.filings.map(({ company }) => company)).toContain("A target");
  expect(() => compute([])).toThrow("no filing");
  const old = { ...inputsOf([by]), now_ms: by.accepted_ms + 97 * 3_600_000 };
  expect(() => computeSecFilings(old)).toThrow("older than four days");
});

test("few stored days: a null, and how many there are; a stored list says the same of its day", () => {
  const inputs = inputsOf([filing("2026-10-01T14:00:00Z")], [{ "4.02": 1 }]);
  const now = settled<SecFilingData>(computeSecFilings(inputs));
  expect([now.data.unusual, now.warnings]).toEqual([null, ["unusual: this node has 1 of the 5 days it takes"]]);
  expect(settled<SecFilingData>(replaySecFilings(listSecFilings(inputs), 1)).warnings).toEqual([
    "filings: as stored at the end of 2026-10-01 in New York",
    "unusual: this node had fewer than 5 stored days then",
  ]);
});

test("items are unusual against five stored days at least", () => {
  const five = Array.from({ length: 6 }, (_, n) => filing(`2026-10-01T14:0${n}:00Z`, { items: ["4.02"] }));
  expect(compute(five, [{ "4.02": 1 }]).unusual).toBeNull();
  expect(compute(five, Array(5).fill({ "4.02": 2 })).unusual).toEqual(["4.02"]);
  expect(compute(five, Array(5).fill({ "4.02": 3 })).unusual).toEqual([]);
});

test("the SEC's notice to robots and a feed with a broken entry are refused", () => {
  expect(
    readRows((eachRow) => readCurrentFilings("<!DOCTYPE html><html>Undeclared Automated Tool</html>", NOW_MS, eachRow)),
  ).toEqual(unusable("no XML"));
  const broken = '<?xml version="1.0"?><feed><entry><title>8-K</title></entry></feed>';
  expect(readRows((eachRow) => readCurrentFilings(broken, NOW_MS, eachRow))).toEqual(
    unusable("1 of 1 rows cannot be read: row 0: an entry cannot be read"),
  );
});
