import { dataset as conabPrices } from "../../src/plugins/brazil/datasets/conab.ts";
import { dataset as tesouroPrices } from "../../src/plugins/brazil/datasets/tesouro.ts";
import { SGS_SERIES } from "../../src/plugins/brazil/macro/series.ts";
import { fetchTradeFile } from "../../src/plugins/brazil/providers/b3-files/fetch-trade-file.ts";
import { fetchLevels, fetchMembers } from "../../src/plugins/brazil/providers/b3-index/fetch-index.ts";
import { fetchInflation12, fetchMeetings } from "../../src/plugins/brazil/providers/bcb-olinda/fetch-focus.ts";
import { fetchPTAX } from "../../src/plugins/brazil/providers/bcb-olinda/fetch-ptax.ts";
import { fetchSeries } from "../../src/plugins/brazil/providers/bcb-sgs/fetch-series.ts";
import { fetchAggregate, IPCA_MONTH } from "../../src/plugins/brazil/providers/ibge/fetch-aggregate.ts";
import { fetchCrop } from "../../src/plugins/brazil/providers/ibge/fetch-crop.ts";
import { getCalendar } from "../../src/plugins/equities/markets/session.ts";
import { fetchCompanyFacts } from "../../src/plugins/equities/providers/sec/company-facts.ts";
import { fetchCurrentFilings } from "../../src/plugins/equities/providers/sec/current-filings.ts";
import { fetchOwnership } from "../../src/plugins/equities/providers/sec/ownership.ts";
import { fetchFiled } from "../../src/plugins/equities/providers/sec/submission-text.ts";
import { fetchRegistrant } from "../../src/plugins/equities/providers/sec/submissions.ts";
import { fetchTickers } from "../../src/plugins/equities/providers/sec/tickers.ts";
import { fetchYahooQuote } from "../../src/plugins/equities/providers/yahoo/quote.ts";
import { fetchEurostatDates } from "../../src/plugins/macro/providers/eurostat/calendar.ts";
import { fetchFedCalendar } from "../../src/plugins/macro/providers/fed/calendar.ts";
import { fetchAuctions } from "../../src/plugins/macro/providers/fiscaldata/calendar.ts";
import { fetchFredReleaseDates } from "../../src/plugins/macro/providers/fred-api/calendar.ts";
import { fetchEventFile } from "../../src/plugins/macro/providers/gdelt-events/event-file.ts";
import { fetchAdvisories } from "../../src/plugins/macro/providers/state-advisories/advisories.ts";
import { fetchPolicyMeetings } from "../../src/upstream/providers/ecb/meetings.ts";
import { fetchReferenceRates } from "../../src/upstream/providers/ecb/reference-rates.ts";
import { fetchFrankfurterRates } from "../../src/upstream/providers/frankfurter/reference-rates.ts";
import { fetchFredSeries } from "../../src/upstream/providers/fred/series.ts";
import type { Readings } from "../helpers/recorded.ts";
import { readDataset } from "../helpers/recorded-dataset.ts";

const seriesOf = (code: number) => {
  const found = SGS_SERIES.find((series) => series.code === code);
  if (!found) throw new Error(String(code));
  return found;
};

const WATERS = {
  accession: "0000000000-00-000000",
  form: "4",
  filed: "2023-01-01",
  period_end: "",
  accepted_ms: 0,
  items: [],
  url: "https://www.sec.gov/Archives/edgar/data/933972/000000000000000000/xslF345X05/form4.xml",
};

/** What authorities, central banks and exchanges publish. */
export const officialReadings: Readings = {
  b3_index: [
    {
      files: ["portfolio-day.json"],
      at: "2025-04-07T12:00:00Z",
      read: fetchMembers,
      gives: [
        { symbol: "WEGE3", weight_pct: 2.663 },
        { symbol: "EMBR3", weight_pct: 2.16 },
      ],
    },
    {
      files: ["index-statistics-2022.json"],
      at: "2025-04-07T12:00:00Z",
      read: (context) => fetchLevels(context, 2022),
      gives: [
        ["2022-01-03", 103921.59],
        ["2022-01-04", 103513.64],
      ],
    },
  ],
  bcb_olinda: [
    {
      files: ["focus-selic.json"],
      at: "2026-06-27T00:00:00Z",
      read: (context) => fetchMeetings(context, "2026-06-01"),
      gives: [{ meeting: "R4/2028", median: 11.5, survey_date: "2026-06-26" }],
    },
    {
      files: ["focus-12-months.json"],
      at: "2021-09-16T00:00:00Z",
      read: (context) => fetchInflation12(context, "2021-09-01"),
      // Of services, not of the whole index.
      refused: "rows cannot be read",
    },
    {
      files: ["ptax.json"],
      at: "2026-07-28T18:00:00Z",
      read: (context) => fetchPTAX(context, { from: "2026-07-28", to: "2026-07-28" }),
      gives: [["2026-07-28", 5.1171, 5.1177]],
    },
  ],
  bcb_sgs: [
    {
      files: ["sgs-12.json"],
      at: "2024-01-03T12:00:00Z",
      read: (context) => fetchSeries(context, seriesOf(12), "2024-01-03"),
      gives: [["2024-01-02", 0.043739]],
    },
  ],
  ecb: [
    {
      files: ["exr.csv"],
      at: "2026-03-19T12:00:00Z",
      read: (context) => fetchReferenceRates(context, { currencies: ["USD", "GBP"], since: "2026-02-17" }),
      gives: { BRL: [{ date: "2026-02-17", rate: 6.1788 }], USD: [{ date: "2026-02-17" }] },
    },
    {
      files: ["meetings.html"],
      at: "2026-08-14T17:56:40Z",
      read: fetchPolicyMeetings,
      gives: ["2026-09-10", "2026-10-29", "2026-12-17", "2027-02-04"],
    },
  ],
  fred: [
    {
      files: ["fredgraph-dgs10.csv"],
      at: "2026-09-30T23:00:00Z",
      read: (context) => fetchFredSeries(context, { id: "DGS10", since: "2026-08-20" }),
      gives: [
        { date: "2026-08-20", value: 4.69 },
        { date: "2026-09-04" },
        { date: "2026-09-08", value: 4.8 },
        { date: "2026-09-30", value: 5.29 },
      ],
    },
  ],
  ibge: [
    {
      files: ["aggregate-6579.json"],
      at: "2025-12-01T00:00:00Z",
      read: (context) => fetchAggregate(context, IPCA_MONTH, 3),
      // The number of people.
      refused: "it is another variable",
    },
    {
      files: ["sidra-9606.json"],
      at: "2026-06-06T00:00:00Z",
      read: (context) => fetchCrop(context, "production", 1),
      // The census.
      refused: "its heading names neither month nor crop",
    },
  ],
  frankfurter: [
    {
      files: ["rates.json"],
      at: "2024-01-16T12:00:00Z",
      read: (context) => fetchFrankfurterRates(context, { currencies: ["USD", "GBP"], since: "2024-01-15" }),
      gives: { GBP: [{ date: "2024-01-15", rate: 0.8623 }], USD: [{ date: "2024-01-15", rate: 1.089 }] },
    },
  ],
  yahoo: [
    {
      files: ["chart-aapl.json"],
      at: "2026-10-02T15:07:00Z",
      read: (context) => fetchYahooQuote(context, { symbol: "AAPL", calendar: getCalendar("XNYS") }),
      gives: {
        currency: "USD",
        price: 332.38,
        name: "Apple Inc.",
        at_ms: 1790953607000,
        open: 333.2049865722656,
        high: 334.5400085449219,
        low: 330.6099853515625,
        prev_close: 330.32000732421875,
        volume: 9440998,
      },
    },
    {
      files: ["chart-wbd.json"],
      at: "2026-10-08T13:10:00Z",
      read: (context) => fetchYahooQuote(context, { symbol: "WBD", calendar: getCalendar("XNYS") }),
      gives: { price: 30.95, open: null, low: 30.940000534057617, prev_close: null, at_ms: 1791230401000 },
    },
  ],
  sec: [
    {
      files: ["company-tickers-exchange.json"],
      at: "2026-01-01T00:00:00Z",
      read: async (context) => {
        const { by_ticker } = await fetchTickers(context);
        return ["AAPL", "BRK.B", "UTX"].map((ticker) => by_ticker.get(ticker));
      },
      gives: [
        { cik: 320193, name: "Apple Inc.", ticker: "AAPL", exchange: "Nasdaq" },
        { cik: 1067983, ticker: "BRK.B", exchange: "NYSE" },
        { cik: 2046954, exchange: null },
      ],
    },
    {
      files: ["submissions.json"],
      at: "2026-02-09T00:00:00Z",
      read: (context) => fetchRegistrant(context, 1718179),
      gives: {
        name: "Sievert Stephanie A",
        exchange: null,
        filings: [{ accession: "0001225208-25-001759", form: "4", filed: "2025-02-14", period_end: "2025-02-12" }],
      },
    },
    {
      files: ["current-filings.xml"],
      at: "2025-12-12T23:04:00Z",
      read: (context) => fetchCurrentFilings(context, { form: "4" }),
      gives: [
        { accession: "0002063236-25-000004", cik: 2063236, company: "Perez Daniel Antonio", role: "Reporting" },
        { company: "Hinge Health, Inc.", role: "Issuer" },
      ],
    },
    {
      files: ["companyfacts.json"],
      at: "2026-03-25T00:00:00Z",
      read: (context) => fetchCompanyFacts(context, 320193),
      gives: {
        facts: [{ tag: "EntityCommonStockSharesOutstanding", end: "2023-04-21", value: 15728702000, form: "10-Q" }],
        warnings: [],
      },
    },
    {
      files: ["form4.xml"],
      at: "2026-03-25T00:00:00Z",
      read: (context) => fetchOwnership(context, { cik: 933972, filing: WATERS }),
      gives: {
        form: "4",
        owner: "Melkote Rajesh Ramaswamy",
        roles: ["officer"],
        trades: [{ code: "A", shares: 757756, price: null, acquired: true }],
      },
    },
    {
      files: ["submission.txt"],
      at: "2026-03-25T00:00:00Z",
      read: (context) =>
        fetchFiled(context, {
          cik: 65873,
          accession: "0000065873-05-000060",
          body_bytes_max: 1e6,
          ttl_ms: 0,
          read: (documents) => documents.map(({ type }) => type) as never,
        }),
      gives: ["CORRESP"],
    },
  ],
  eurostat: [
    {
      files: ["prc-hicp-manr.json"],
      at: "2026-09-27T12:00:00Z",
      // What it plans is the time of its own last upload, at 23:00: no release.
      read: async (context) => ({ releases: (await fetchEurostatDates(context, "hicp")).length }),
      gives: { releases: 0 },
    },
  ],
  fed: [
    {
      files: ["calendar.json"],
      at: "2026-10-01T00:00:00Z",
      read: fetchFedCalendar,
      gives: [
        { kind: "fomc_minutes", at_ms: Date.UTC(2026, 9, 7, 18) },
        { kind: "beige_book", at_ms: Date.UTC(2026, 9, 14, 18) },
        { kind: "fomc_press", at_ms: Date.UTC(2026, 9, 28, 18, 30) },
        { kind: "fomc", at_ms: Date.UTC(2026, 9, 28, 18) },
      ],
    },
  ],
  gdelt_events: [
    {
      files: ["export-20150218230000.zip"],
      at: "2015-02-18T23:05:00Z",
      read: (context) => fetchEventFile(context, Date.UTC(2015, 1, 18, 23)),
      gives: {
        violence: 21,
        countries: { CH: [13, 0, 15], LY: [8, 0, 15.2], ML: [32, 0, 60.8], YM: [27, 0, 51.3] },
        pages: {},
      },
    },
  ],
  fiscaldata: [
    {
      files: ["upcoming-auctions.json"],
      at: "2026-08-14T14:32:00Z",
      read: async (context) =>
        (await fetchAuctions(context)).map(({ at_ms, kind, detail }) => [
          new Date(at_ms).toISOString(),
          `${kind} ${detail?.id}`,
        ]),
      // Reopened ones are told by what is left of their term; the type of the second indexed one does not say so.
      gives: [
        ["2024-03-21T17:00:00.000Z", "tips_auction 10y"],
        ["2024-04-11T17:00:00.000Z", "auction 30y"],
        ["2024-04-10T17:00:00.000Z", "auction 10y"],
        ["2024-11-06T18:00:00.000Z", "auction 30y"],
        ["2024-11-05T18:00:00.000Z", "auction 10y"],
        ["2026-08-20T17:00:00.000Z", "tips_auction 30y"],
      ],
    },
  ],
  fred_api: [
    {
      files: ["release-dates.json"],
      at: "2013-08-14T00:00:00Z",
      read: (context) => fetchFredReleaseDates(context, "cpi"),
      refused: "it is of another release",
    },
  ],
  state_advisories: [
    {
      files: ["travel-advisories.json"],
      at: "2026-07-17T12:00:00Z",
      read: fetchAdvisories,
      // Each of the three was read.
      refused: "only 3 countries have a level",
    },
  ],
  tesouro: [
    {
      files: ["precotaxatesourodireto.csv"],
      at: "2009-08-14T00:00:00Z",
      read: (context) => readDataset(context, tesouroPrices),
      gives: {
        published_at_ms: null,
        rows: [
          { kind: "real", maturity: "2024-08-15", date: "2009-08-13", rate: 6.42 },
          { kind: "nominal", maturity: "2010-07-01", date: "2009-08-13", rate: 9.06 },
        ],
      },
    },
  ],
  b3_files: [
    {
      files: ["requestname.json", "trade-information.csv"],
      at: "2026-09-19T12:00:00Z",
      read: (context) => fetchTradeFile(context, { date: "2026-09-18", extra: new Set() }),
      // Both lines of corn are read; of DI1 there is none among the five.
      refused: "only 0 DI1 futures are settled",
    },
  ],
  conab: [
    {
      files: ["precos-semanal-uf.csv"],
      at: "2026-08-11T12:00:00Z",
      read: (context) => readDataset(context, conabPrices),
      // Corn of Mato Grosso is not its popcorn, which stands before it in one week and behind it in the other.
      gives: {
        published_at_ms: null,
        rows: [
          { product: "cattle", uf: "SP", week_start: "2026-07-20", week_end: "2026-07-24", brl_per_kg: 22.07 },
          { product: "corn", uf: "MT", week_start: "2026-07-20", week_end: "2026-07-24", brl_per_kg: 0.7 },
          { product: "corn", uf: "MT", week_start: "2026-08-03", week_end: "2026-08-07", brl_per_kg: 0.71 },
          { product: "soy", uf: "PR", week_start: "2026-07-20", week_end: "2026-07-24", brl_per_kg: 2.05 },
          { product: "soy", uf: "PR", week_start: "2026-08-03", week_end: "2026-08-07", brl_per_kg: 2.07 },
          { product: "wheat", uf: "PR", week_start: "2026-07-20", week_end: "2026-07-24", brl_per_kg: 1.19 },
          { product: "wheat", uf: "PR", week_start: "2026-08-03", week_end: "2026-08-07", brl_per_kg: 1.23 },
        ],
      },
    },
  ],
};
