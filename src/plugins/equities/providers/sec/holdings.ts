import { type Static, Type } from "@sinclair/typebox";
import { compileSchema, type FetchContext, isUnusable, type Unusable, UpstreamError, unusable } from "intel-node";
import { sec } from "./provider.ts";
import { type FiledDocument, fetchFiled } from "./submission-text.ts";
import type { Filing } from "./submissions.ts";
import { loadXML } from "./xml-parser.ts";

/** One line of an information table: what a manager held of one security at the end of a quarter. */
export interface FiledHolding {
  readonly issuer: string;
  /** Title of the class, as filed. */
  readonly class: string;
  /**
   * Only so that lines of one security are added up: the numbers are licensed (CUSIP Global Services), and no answer
   * and no store of this node has them.
   */
  readonly cusip: string;
  /** In the unit of the form: dollars, or thousands of them. */
  readonly value: number;
  readonly amount: number;
  /** Shares, or principal of a note. */
  readonly amount_type: "SH" | "PRN";
  readonly put_call: "put" | "call" | null;
}

/** A form 13F-HR: a report, or an amendment that restates it whole or adds lines to it. */
export interface HoldingsReport {
  readonly kind: "report" | "restatement" | "added";
  readonly period_end: string;
  /** Whether lines were left out, which the SEC keeps secret for a time. */
  readonly confidential_omitted: boolean;
  /** What its cover says: lines, and their sum in the unit of the form. */
  readonly stated: { readonly lines: number; readonly value: number };
  readonly lines: readonly FiledHolding[];
}

const Whole = Type.String({ pattern: "^[0-9]{1,15}$" });
const Flag = Type.Optional(Type.String({ pattern: "^(true|false|Y|N|1|0)$" }));
const Cover = Type.Object({
  edgarSubmission: Type.Object({
    formData: Type.Object({
      coverPage: Type.Object({
        reportCalendarOrQuarter: Type.String({ pattern: "^[0-9]{2}-[0-9]{2}-[0-9]{4}$" }),
        isAmendment: Flag,
        // An empty element is read as an empty text.
        amendmentInfo: Type.Optional(
          Type.Union([Type.Literal(""), Type.Object({ amendmentType: Type.String({ maxLength: 40 }) })]),
        ),
      }),
      summaryPage: Type.Object({ tableEntryTotal: Whole, tableValueTotal: Whole, isConfidentialOmitted: Flag }),
    }),
  }),
});
const Line = Type.Object({
  nameOfIssuer: Type.String({ minLength: 1, maxLength: 200 }),
  titleOfClass: Type.String({ minLength: 1, maxLength: 150 }),
  cusip: Type.String({ pattern: "^[0-9A-Za-z*@#]{9}$" }),
  value: Type.String({ pattern: "^[0-9]{1,15}(\\.[0-9]{1,6})?$" }),
  shrsOrPrnAmt: Type.Object({
    sshPrnamt: Type.String({ pattern: "^[0-9]{1,15}(\\.[0-9]{1,6})?$" }),
    sshPrnamtType: Type.Union([Type.Literal("SH"), Type.Literal("PRN")]),
  }),
  putCall: Type.Optional(Type.String({ pattern: "^([Pp]ut|[Cc]all|PUT|CALL)$" })),
});
const [covers, lines] = [compileSchema(Cover), compileSchema(Line)];
const makeParser = () =>
  new (loadXML().XMLParser)({
    ignoreAttributes: true,
    parseTagValue: false,
    removeNSPrefix: true,
    isArray: (name) => name === "infoTable",
  });
const LINE = /<(?:\w+:)?infoTable>[\s\S]*?<\/(?:\w+:)?infoTable>/g;
const TABLE_END = /<\/(?:\w+:)?informationTable>\s*(?:<\/XML>\s*)?$/;
const isSet = (flag: string | undefined): boolean => flag === "true" || flag === "Y" || flag === "1";
/** About ten milliseconds of work: other requests are served in between. */
const LINES_PER_TURN = 150;

function readLine(raw: Static<typeof Line>): FiledHolding {
  const { nameOfIssuer, titleOfClass, cusip, value, shrsOrPrnAmt, putCall } = raw;
  return {
    issuer: nameOfIssuer,
    class: titleOfClass,
    cusip: cusip.toUpperCase(),
    value: Number(value),
    amount: Number(shrsOrPrnAmt.sshPrnamt),
    amount_type: shrsOrPrnAmt.sshPrnamtType,
    put_call: putCall === undefined ? null : (putCall.toLowerCase() as "put" | "call"),
  };
}

function readKind(cover: Static<typeof Cover>["edgarSubmission"]["formData"]["coverPage"]) {
  if (!isSet(cover.isAmendment)) return "report";
  const type = cover.amendmentInfo ? cover.amendmentInfo.amendmentType.trim().toUpperCase() : null;
  return type === "RESTATEMENT" ? "restatement" : type === "NEW HOLDINGS" ? "added" : null;
}

/** The form's two documents, or why they are refused. */
function pickDocuments(documents: readonly FiledDocument[]): { cover: string; table: string } | Unusable {
  const cover = documents.find(({ type }) => /^13F-HR(\/A)?$/.test(type));
  const tables = documents.filter(({ type }) => type === "INFORMATION TABLE");
  const [table] = tables;
  if (!cover || !table || tables.length > 1) return unusable("no form 13F-HR with one information table");
  if (!TABLE_END.test(table.text.trimEnd())) return unusable("an information table that is cut off");
  return { cover: cover.text.replaceAll(/<\/?XML>/g, ""), table: table.text };
}

/**
 * Reads a form 13F-HR, giving way between lines: large managers have ten thousand.
 * @returns the report, or why it is refused: one line that cannot be read makes its sums wrong.
 */
export async function readHoldings(
  { cover, table }: { readonly cover: string; readonly table: string },
  giveWay: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<HoldingsReport | Unusable> {
  if (/<!(doctype|entity)/i.test(cover) || /<!(doctype|entity)/i.test(table)) return unusable("its own entities");
  const parser = makeParser();
  const parsed: unknown = parser.parse(cover);
  if (!covers.Check(parsed)) return unusable("a cover that cannot be read");
  const { coverPage, summaryPage } = parsed.edgarSubmission.formData;
  const kind = readKind(coverPage);
  if (kind === null) return unusable("an amendment that neither restates nor adds");
  const texts = table.match(LINE) ?? [];
  const found: FiledHolding[] = [];
  for (let from = 0; from < texts.length; from += LINES_PER_TURN) {
    const part = texts.slice(from, from + LINES_PER_TURN).join("");
    const { t } = parser.parse(`<t>${part}</t>`) as { t: { infoTable: readonly unknown[] } };
    for (const raw of t.infoTable) {
      if (!lines.Check(raw)) return unusable("a line that cannot be read");
      found.push(readLine(raw));
    }
    await giveWay();
  }
  const stated = { lines: Number(summaryPage.tableEntryTotal), value: Number(summaryPage.tableValueTotal) };
  if (found.length !== stated.lines) return unusable(`${found.length} lines where its cover states ${stated.lines}`);
  const [month, date, year] = coverPage.reportCalendarOrQuarter.split("-");
  return {
    kind,
    period_end: `${year}-${month}-${date}`,
    stated,
    lines: found,
    confidential_omitted: isSet(summaryPage.isConfidentialOmitted),
  };
}

/** About 15,000 lines. */
const BYTES_MAX = 8_000_000;

/** A form 13F-HR of a manager. @throws UpstreamError */
export async function fetchHoldings(
  context: Pick<FetchContext, "get">,
  { cik, filing: { accession } }: { readonly cik: number; readonly filing: Filing },
): Promise<HoldingsReport> {
  const picked = await fetchFiled(context, {
    cik,
    accession,
    body_bytes_max: BYTES_MAX,
    ttl_ms: 0,
    read: pickDocuments,
  });
  const report = await readHoldings(picked);
  if (isUnusable(report)) throw new UpstreamError("upstream_bad_response", sec.id, report.why);
  return report;
}
