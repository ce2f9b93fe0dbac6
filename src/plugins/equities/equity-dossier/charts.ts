import type { Chart, ChartBand } from "intel-node";
import type { EquityDossierInputs } from "./fetch.ts";

const DAY_MS = 86_400_000;
/** Annual and quarterly reports, and current ones; other filings do not move prices. */
const MARKED = /^(10-[KQ]|20-F|40-F|8-K|6-K)(\/A)?$/;
const TONE = /^(8-K|6-K)/;

/** The closes this node stored, with the days of the company's reports in colour. */
export function drawFilings({ inputs }: { readonly inputs: EquityDossierInputs }): readonly Chart[] {
  const { company, closes } = inputs;
  const [first, last] = [closes[0], closes.at(-1)];
  if (!first || !last || closes.length < 2) return [];
  const bands = company.registrant.filings
    .filter(({ form, filed }) => MARKED.test(form) && filed >= first.date && filed <= last.date)
    .map(({ form, filed }): ChartBand => {
      const from_ms = Date.parse(filed);
      return { name: form, tone: TONE.test(form) ? "neutral" : "good", from_ms, to_ms: from_ms + DAY_MS };
    });
  return [
    {
      kind: "time",
      title: `${company.listing.ticker}: closes and filings`,
      unit: "usd",
      step_ms: 4 * DAY_MS,
      about: "Closes as this node stored them, US dollars; a close that was missed is a gap. Bands: days of reports.",
      lines: [{ name: "close", points: closes.map(({ date, price }): [number, number] => [Date.parse(date), price]) }],
      bands: bands.toSorted((a, b) => a.from_ms - b.from_ms).slice(-200),
    },
  ];
}
