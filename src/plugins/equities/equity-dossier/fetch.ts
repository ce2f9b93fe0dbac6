import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import { type Close, closes, toClose } from "intel-node/series/share-closes";
import { type Company, loadCompany } from "../shared/load-company.ts";

const Price = Type.Object({
  price: Type.Number({ exclusiveMinimum: 0 }),
  price_basis: Type.String(),
  is_proxy: Type.Boolean(),
});

export interface EquityDossierInputs {
  readonly company: Company;
  readonly price: { readonly price: number; readonly price_basis: string; readonly is_proxy: boolean } | null;
  /** What this node stored of the share, oldest first: drawn, never computed with. */
  readonly closes: readonly Close[];
  readonly warnings: readonly string[];
}

const CLOSES_BACK = "370d";

/** Filings and facts, and a price where one may be sold. @throws NodeError without the company's facts. */
export async function fetchEquityDossier(context: FetchContext, symbol: string): Promise<EquityDossierInputs> {
  const { values, warnings } = await context.each({
    company: { essential: true, run: () => loadCompany(context, symbol) },
    price: {
      field: "valuation, altman",
      because: "no permitted price",
      run: async () => {
        const { price, price_basis, is_proxy } = (await context.ask("/stock-quote", { symbol }, Price)).data;
        return { price, price_basis, is_proxy };
      },
    },
  });
  const stored = await closes.read(context, { of: symbol, last: CLOSES_BACK });
  return { company: values.company, price: values.price, closes: stored.map(toClose), warnings };
}
