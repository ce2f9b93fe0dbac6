import { expect, test } from "bun:test";
import { isUnusable, unusable } from "../../../catalog/unusable.ts";
import { type HoldingsReport, readHoldings } from "../providers/sec/holdings.ts";
import { readSubmissionText } from "../providers/sec/submission-text.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import { describeHoldings, listHoldingsForms } from "./holdings.ts";

const cover = (lines: number, value: number, rest = "<isAmendment>false</isAmendment><amendmentInfo/>") =>
  '<?xml version="1.0"?><edgarSubmission><formData><coverPage><reportCalendarOrQuarter>09-30-2026' +
  `</reportCalendarOrQuarter>${rest}</coverPage><summaryPage><tableEntryTotal>${lines}</tableEntryTotal>` +
  `<tableValueTotal>${value}</tableValueTotal></summaryPage></formData></edgarSubmission>`;
const amends = (type: string) =>
  `<isAmendment>true</isAmendment><amendmentInfo><amendmentType>${type}</amendmentType></amendmentInfo>`;
const line = (cusip: string, value: number, amount: number, rest = "") =>
  "<n:infoTable><n:nameOfIssuer>A &amp; B</n:nameOfIssuer><n:titleOfClass>COM</n:titleOfClass>" +
  `<n:cusip>${cusip}</n:cusip><n:value>${value}</n:value><n:shrsOrPrnAmt><n:sshPrnamt>${amount}</n:sshPrnamt>` +
  `<n:sshPrnamtType>SH</n:sshPrnamtType></n:shrsOrPrnAmt>${rest}</n:infoTable>`;
const table = (lines: readonly string[]) => `<n:informationTable>${lines.join("")}</n:informationTable>`;
const PUT = "<n:putCall>Put</n:putCall>";

const read = async (lines: readonly string[], amendment?: string): Promise<HoldingsReport> => {
  const report = await readHoldings({ cover: cover(lines.length, 1, amendment), table: table(lines) });
  if (isUnusable(report)) throw new Error(report.why);
  return report;
};
const filing = (filed: string, rest: Partial<Filing> = {}): Filing => ({
  accession: filed,
  form: "13F-HR",
  filed,
  period_end: "2026-09-30",
  items: [],
  accepted_ms: Date.parse(filed),
  url: "https://www.sec.gov/x",
  ...rest,
});

test("form 13F: lines of one security are one position, options stay apart, CUSIPs stay inside", async () => {
  const report = await read([
    line("037833100", 600, 5),
    line("037833100", 400, 5),
    line("594918104", 900, 2),
    line("594918104", 300, 1, PUT),
  ]);
  const holdings = describeHoldings([{ filing: filing("2026-11-10"), report }]);
  expect(holdings).toMatchObject({ positions: 3, value_usd: 1_900, options_usd: 300, period_end: "2026-09-30" });
  expect(holdings).toMatchObject({
    largest: [
      { issuer: "A & B", value_usd: 1_000, amount: 10, amount_of: "shares", put_call: null },
      { value_usd: 900, put_call: null },
      { value_usd: 300, put_call: "put" },
    ],
  });
  expect(JSON.stringify(holdings)).not.toMatch(/037833100|594918104|cusip/i);
});

test("values are dollars since 2023-01-03, thousands before; a filing in the other unit is refused", async () => {
  const dollars = await read([line("037833100", 1_500, 10)]);
  const describe = (report: HoldingsReport, filed: string) => describeHoldings([{ filing: filing(filed), report }]);
  expect(describe(dollars, "2023-01-03")).toMatchObject({ value_usd: 1_500 });
  const thousands = await read([line("037833100", 15, 100)]);
  expect(describe(thousands, "2023-01-02")).toMatchObject({ value_usd: 15_000 });
  expect(describe(thousands, "2023-01-03")).toContain("another unit");
  expect(describe(dollars, "2023-01-02")).toContain("another unit");
});

test("of an even number of positions the middle is between the two in the middle", async () => {
  const report = await read([line("037833100", 90, 100), line("594918104", 105, 100)]);
  expect(describeHoldings([{ filing: filing("2026-11-10"), report }])).toContain("another unit");
});

test("an amendment restates all, or adds to it; added lines without their report are refused", async () => {
  const first = await read([line("037833100", 1_000, 10)]);
  const second = line("594918104", 500, 1);
  const added = await read([second], amends("NEW HOLDINGS"));
  const restated = await read([second], amends("RESTATEMENT"));
  const forms = (...reports: HoldingsReport[]) =>
    describeHoldings(reports.map((report, index) => ({ filing: filing(`2026-11-1${index}`), report })));
  expect(forms(first, added)).toMatchObject({ value_usd: 1_500, positions: 2 });
  expect(forms(first, restated)).toMatchObject({ value_usd: 500, positions: 1 });
  expect(forms(first, restated, added)).toMatchObject({ value_usd: 1_000, positions: 1 });
  expect(forms(added)).toContain("adds to a report that was not found");
  const other = { ...first, period_end: "2026-06-30" };
  expect(forms(other)).toContain("of another quarter");
  expect([forms(), describeHoldings(null)]).toEqual([expect.stringContaining("no form 13F-HR"), null]);
});

test("what cannot be read whole is refused: a line, a cover, a count that differs, entities, a cut", async () => {
  const good = line("037833100", 1_000, 10);
  const one = (text: string, head = cover(1, 1)) => readHoldings({ cover: head, table: table([text]) });
  expect(await one(good.replace("<n:value>1000", "<n:value>1,000"))).toEqual(unusable("a line that cannot be read"));
  expect(await one(good.replace("037833100", "03783310"))).toEqual(unusable("a line that cannot be read"));
  expect(await one(good, cover(2, 1))).toEqual(unusable("1 lines where its cover states 2"));
  expect(await one(good, cover(1, 1, amends("CORRECTION")))).toEqual(
    unusable("an amendment that neither restates nor adds"),
  );
  expect(await one(good, "<html>no</html>")).toEqual(unusable("a cover that cannot be read"));
  expect(await one(`<!DOCTYPE x>${good}`)).toEqual(unusable("its own entities"));
  const whole = "<SEC-DOCUMENT>x\n<DOCUMENT>\n<TYPE>13F-HR\n<TEXT>a</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n";
  expect(readSubmissionText(whole)).toEqual([{ type: "13F-HR", text: "a" }]);
  expect(readSubmissionText(whole.slice(0, -10))).toEqual(unusable("the filing is cut off"));
  expect(readSubmissionText("<html></html>")).toEqual(unusable("no complete text of a filing"));
});

test("of the newest quarter up to a day, in the order accepted; a notice (13F-NT) holds nothing", () => {
  const [report, later] = [filing("2026-11-10"), filing("2026-11-17", { form: "13F-HR/A" })];
  const old = filing("2026-08-10", { period_end: "2026-06-30" });
  const all = [later, report, filing("2026-11-11", { form: "13F-NT" }), old];
  expect(listHoldingsForms(all, "2026-11-20")).toEqual([report, later]);
  expect(listHoldingsForms(all, "2026-11-16")).toEqual([report]);
  expect(listHoldingsForms(all, "2026-11-01")).toEqual([old]);
});
