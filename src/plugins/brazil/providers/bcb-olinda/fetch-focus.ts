import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, type ISODate, Rows, unusable } from "intel-node";
import { bcbOlinda } from "./provider.ts";

type Context = Pick<FetchContext, "get">;

/** The survey's answer on one year of one indicator, in the indicator's unit. */
export interface FocusRow {
  readonly indicator: string;
  readonly year: number;
  readonly median: number;
  readonly mean: number;
  readonly sd: number;
  readonly min: number;
  readonly max: number;
  readonly respondents: number;
  /** Median now minus the newest one at least 28 days older; null without one. */
  readonly change_4w: number | null;
  readonly survey_date: ISODate;
}

/** As the survey names them, and what they are called here. */
export const FOCUS_INDICATORS = {
  IPCA: "ipca",
  "IGP-M": "igpm",
  "PIB Total": "gdp",
  Câmbio: "usd_brl",
  Selic: "selic",
  "Dívida bruta do governo geral": "gross_debt",
} as const;
export type FocusIndicator = keyof typeof FOCUS_INDICATORS;

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const NumberOrNull = Type.Union([Type.Number(), Type.Null()]);
const SurveyFields = {
  Indicador: Type.String(),
  Data: Day,
  Media: Type.Number(),
  Mediana: Type.Number(),
  DesvioPadrao: NumberOrNull,
  Minimo: NumberOrNull,
  Maximo: NumberOrNull,
  numeroRespondentes: Type.Union([Type.Integer(), Type.Null()]),
};
const Annual = Type.Object({
  value: Rows(Type.Object({ ...SurveyFields, DataReferencia: Type.String({ pattern: "^\\d{4}$" }) }), { minItems: 1 }),
});

type Survey = Static<typeof Annual>["value"][number];

/** A survey of an indicator with its spread, or why it is unusable. */
const readSurvey = (indicator: FocusIndicator) => (row: Survey) => {
  const { Minimo: min, Maximo: max, DesvioPadrao: sd, numeroRespondentes: respondents } = row;
  if (row.Indicador !== indicator) return unusable("it is another indicator");
  if (min === null || max === null || sd === null || respondents === null) return unusable("a survey lacks its spread");
  if (row.Mediana < min || row.Mediana > max) return unusable("a median is outside its own range");
  if (row.Media < min || row.Media > max) return unusable("a mean is outside its own range");
  if (sd < 0 || respondents < 1) return unusable("a spread or a count below what is possible");
  return { ...row, min, max, sd, respondents };
};

const WEEKS_4_MS = 28 * 86_400_000;
const YEARS_SHOWN = 3;

/** OData's spaces must be %20: a plus is refused. */
const pathOf = (set: string, filter: string, top: number): string =>
  `/olinda/servico/Expectativas/versao/v1/odata/${set}?$filter=${encodeURIComponent(filter)}` +
  `&$orderby=${encodeURIComponent("Data desc")}&$top=${top}&$format=json`;

/**
 * Expectations of an indicator for this year and the next two, from answers of the last 30 days.
 * @throws UpstreamError
 */
export function fetchAnnual(
  context: Context,
  indicator: FocusIndicator,
  { since, year }: { readonly since: ISODate; readonly year: number },
): Promise<readonly FocusRow[]> {
  return context.get(bcbOlinda, {
    path: pathOf(
      "ExpectativasMercadoAnuais",
      `Indicador eq '${indicator}' and baseCalculo eq 0 and Data ge '${since}'`,
      1000,
    ),
    schema: Annual,
    ttl_ms: 0,
    read({ value: all }, _, eachRow) {
      if (all.every(({ Indicador }) => Indicador !== indicator)) return unusable("it holds another indicator");
      const value = eachRow(all, readSurvey(indicator));
      const rows: FocusRow[] = [];
      for (let of = year; of < year + YEARS_SHOWN; of++) {
        const surveys = value
          .filter(({ DataReferencia }) => DataReferencia === String(of))
          .sort((a, b) => (a.Data < b.Data ? 1 : -1));
        const [newest] = surveys;
        if (!newest) continue;
        const before = surveys.find(({ Data }) => Date.parse(Data) <= Date.parse(newest.Data) - WEEKS_4_MS);
        const { min, max, sd, respondents } = newest;
        rows.push({
          indicator: FOCUS_INDICATORS[indicator],
          year: of,
          median: newest.Mediana,
          mean: newest.Media,
          sd,
          min,
          max,
          respondents,
          survey_date: newest.Data,
          change_4w: before ? newest.Mediana - before.Mediana : null,
        });
      }
      return rows.length === 0 ? unusable("it holds nothing of this year or the next two") : rows;
    },
  });
}

export interface FocusExpectation {
  readonly median: number;
  readonly survey_date: ISODate;
}
const Smoothed = Type.Object({
  value: Rows(Type.Object({ ...SurveyFields, Suavizada: Type.String() }), { minItems: 1 }),
});

/**
 * Expected inflation of the next 12 months, smoothed, percent.
 * @throws UpstreamError
 */
export function fetchInflation12(context: Context, since: ISODate): Promise<FocusExpectation> {
  const filter = `Indicador eq 'IPCA' and Suavizada eq 'S' and baseCalculo eq 0 and Data ge '${since}'`;
  return context.get(bcbOlinda, {
    path: pathOf("ExpectativasMercadoInflacao12Meses", filter, 20),
    schema: Smoothed,
    ttl_ms: 0,
    read({ value }, _, eachRow) {
      const [newest] = eachRow(value, (row) =>
        row.Indicador === "IPCA" && /^[SN]$/.test(row.Suavizada) ? row : unusable("it is not what was asked for"),
      )
        .filter(({ Suavizada }) => Suavizada === "S")
        .sort((a, b) => (a.Data < b.Data ? 1 : -1));
      return newest ? { median: newest.Mediana, survey_date: newest.Data } : unusable("no row of it is smoothed");
    },
  });
}

export interface MeetingExpectation extends FocusExpectation {
  /** As the survey numbers them within a year, such as "R5/2026". */
  readonly meeting: string;
}
const Meetings = Type.Object({
  value: Rows(Type.Object({ ...SurveyFields, Reuniao: Type.String({ pattern: "^R\\d{1,2}/\\d{4}$" }) }), {
    minItems: 1,
  }),
});

/**
 * The Selic target expected after each meeting of the Copom, percent a year, in the order of the meetings.
 * @throws UpstreamError
 */
export function fetchMeetings(context: Context, since: ISODate): Promise<readonly MeetingExpectation[]> {
  return context.get(bcbOlinda, {
    path: pathOf("ExpectativasMercadoSelic", `baseCalculo eq 0 and Data ge '${since}'`, 1000),
    schema: Meetings,
    ttl_ms: 0,
    read({ value }) {
      const newest = new Map<string, MeetingExpectation>();
      for (const { Reuniao, Mediana, Data } of value) {
        const known = newest.get(Reuniao);
        if (!known || known.survey_date < Data)
          newest.set(Reuniao, { meeting: Reuniao, median: Mediana, survey_date: Data });
      }
      const orderOf = ({ meeting }: MeetingExpectation): number => {
        const [number = 0, year = 0] = meeting.slice(1).split("/").map(Number);
        return year * 100 + number;
      };
      return [...newest.values()].sort((a, b) => orderOf(a) - orderOf(b));
    },
  });
}
