import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import { type Close, closes, toClose } from "intel-node/series/share-closes";
import { cutToKnown, readKnownDay } from "../companies/as-known-at.ts";
import { type Company, loadCompany } from "../companies/load-company.ts";
import { fetchHoldings } from "../providers/sec/holdings.ts";
import { fetchOwnership } from "../providers/sec/ownership.ts";
import { type HoldingsForm, listHoldingsForms } from "./holdings.ts";
import { type InsiderForm, listInsiderForms } from "./insiders.ts";

const Price = Type.Object({
  price: Type.Number({ exclusiveMinimum: 0 }),
  price_basis: Type.String(),
  is_proxy: Type.Boolean(),
  contradicted_by: Type.Array(Type.String()),
});

export interface EquityDossierInputs {
  /** Nothing of the company was filed after this day. */
  readonly known_at: string;
  readonly company: Company;
  readonly price: { readonly price: number; readonly price_basis: string; readonly is_proxy: boolean } | null;
  readonly insiders: readonly InsiderForm[] | null;
  /** The company's own forms 13F; none from whom manages no money, null when one could not be read. */
  readonly holdings: readonly HoldingsForm[] | null;
  /** What this node stored of the share, oldest first: drawn, never computed with. */
  readonly closes: readonly Close[];
  readonly warnings: readonly string[];
}

const CLOSES_BACK = "370d";
const PAST_PRICE = "valuation, altman: of as_known_at only filings are known, and no price";

const sayDoubts = (doubts: readonly string[]): readonly string[] =>
  doubts.length === 0 ? [] : [`valuation, altman: nothing is built on a price contradicted by ${doubts.join(", ")}`];

/** A usable price: the figures beside it do not contradict it. */
function pickPrice(quoted: Static<typeof Price> | null): EquityDossierInputs["price"] {
  if (!quoted || quoted.contradicted_by.length > 0) return null;
  const { price, price_basis, is_proxy } = quoted;
  return { price, price_basis, is_proxy };
}

/**
 * Filings and facts, and a price where one may be sold. As of a past day there is no price: today's was not known then.
 * @throws NodeError without the company's facts, and for a day to come.
 */
export async function fetchEquityDossier(
  context: FetchContext,
  { symbol, as_known_at }: { readonly symbol: string; readonly as_known_at?: string | undefined },
): Promise<EquityDossierInputs> {
  const known_at = readKnownDay(as_known_at, context.now_ms);
  const is_past = known_at !== readKnownDay(undefined, context.now_ms);
  const { values, warnings } = await context.each({
    company: { essential: true, run: () => loadCompany(context, symbol) },
    price: {
      field: "valuation, altman",
      because: "no permitted price",
      run: async () => {
        if (is_past) return null;
        return (await context.ask("/stock-quote", { symbol }, Price)).data;
      },
    },
  });
  const doubts = values.price?.contradicted_by ?? [];
  const company = cutToKnown(values.company, known_at);
  const { cik, filings } = company.registrant;
  const [stored, forms] = await Promise.all([
    closes.read(context, { of: symbol, last: CLOSES_BACK }),
    context.each({
      insiders: {
        field: "insiders",
        because: "a form 3, 4 or 5 could not be read",
        run: () =>
          Promise.all(
            listInsiderForms(filings, known_at).map(async (filing): Promise<InsiderForm> => {
              return { filing, report: await fetchOwnership(context, { cik, filing }) };
            }),
          ),
      },
      holdings: {
        field: "holdings_13f",
        because: "a form 13F could not be read",
        run: () =>
          Promise.all(
            listHoldingsForms(filings, known_at).map(async (filing): Promise<HoldingsForm> => {
              return { filing, report: await fetchHoldings(context, { cik, filing }) };
            }),
          ),
      },
    }),
  ]);
  return {
    known_at,
    company,
    price: pickPrice(values.price),
    insiders: forms.values.insiders,
    holdings: forms.values.holdings,
    closes: stored.map(toClose),
    warnings: [
      ...warnings,
      ...company.warnings,
      ...forms.warnings,
      ...(is_past ? [PAST_PRICE] : []),
      ...sayDoubts(doubts),
    ],
  };
}
