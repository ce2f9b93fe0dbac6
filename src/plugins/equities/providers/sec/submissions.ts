import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable, Whole } from "intel-node";
import { sec } from "./provider.ts";

/** A filing of one registrant. */
export interface Filing {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** Last day of the period it reports on; empty for forms about none. */
  readonly period_end: string;
  readonly accepted_ms: number;
  readonly items: readonly string[];
  readonly url: string;
}

export interface Registrant {
  readonly cik: number;
  readonly name: string;
  readonly sic: string;
  readonly sic_description: string;
  readonly exchange: string | null;
  /** "0926": the month and day a fiscal year ends about. */
  readonly fiscal_year_end: string | null;
  readonly category: string | null;
  /** Newest first: about the last thousand. */
  readonly filings: readonly Filing[];
}

const Texts = Whole("columns", Type.String({ maxLength: 200 }), { maxItems: 5_000 });
const MaybeText = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]));
const Answer = Type.Object({
  name: Type.String({ maxLength: 300 }),
  sic: MaybeText,
  sicDescription: MaybeText,
  exchanges: Type.Optional(Whole("parts", Type.Union([Type.String({ maxLength: 60 }), Type.Null()]), { maxItems: 40 })),
  fiscalYearEnd: MaybeText,
  category: MaybeText,
  filings: Type.Object({
    recent: Type.Object({
      accessionNumber: Texts,
      filingDate: Texts,
      acceptanceDateTime: Texts,
      form: Texts,
      items: Texts,
      primaryDocument: Texts,
      reportDate: Texts,
    }),
  }),
});
const TTL_MS = 600_000;
export const padCik = (cik: number): string => String(cik).padStart(10, "0");

/** A registrant and its filings. @throws UpstreamError */
export function fetchRegistrant(context: Pick<FetchContext, "get">, cik: number): Promise<Registrant> {
  return context.get(sec, {
    host: "data",
    path: `/submissions/CIK${padCik(cik)}.json`,
    schema: Answer,
    ttl_ms: TTL_MS,
    errors: [{ status: 404, schema: Type.Unknown(), means: "not_found" }],
    read({ name, sic, sicDescription, exchanges, fiscalYearEnd, category, filings: { recent } }) {
      const { accessionNumber, filingDate, acceptanceDateTime, form, items, primaryDocument, reportDate } = recent;
      const columns = [filingDate, acceptanceDateTime, form, items, primaryDocument, reportDate];
      if (columns.some((column) => column.length !== accessionNumber.length))
        return unusable("columns of different length");
      const filings = accessionNumber.map((accession, index): Filing => {
        const folder = `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}`;
        return {
          accession,
          form: form[index] ?? "",
          filed: filingDate[index] ?? "",
          period_end: reportDate[index] ?? "",
          accepted_ms: Date.parse(acceptanceDateTime[index] ?? ""),
          items: (items[index] ?? "").split(",").filter(Boolean),
          url: `${folder}/${primaryDocument[index] ?? ""}`,
        };
      });
      if (filings.some(({ accepted_ms }) => Number.isNaN(accepted_ms))) return unusable("a time cannot be read");
      return {
        cik,
        name,
        sic: sic ?? "",
        sic_description: sicDescription ?? "",
        exchange: exchanges?.[0] ?? null,
        fiscal_year_end: fiscalYearEnd || null,
        category: category || null,
        filings,
      };
    },
  });
}
