import { createNoSuchSubject, type FetchContext, NodeError, toNodeError, UpstreamError } from "intel-node";
import type { EdgarFact } from "../facts/scan-facts.ts";
import { fetchCompanyFacts } from "../providers/sec/company-facts.ts";
import { fetchRegistrant, type Registrant } from "../providers/sec/submissions.ts";
import { fetchTickers, type TickerListing } from "../providers/sec/tickers.ts";

export interface Company {
  readonly listing: TickerListing;
  readonly registrant: Registrant;
  readonly facts: readonly EdgarFact[];
  /** What was left out of its facts. */
  readonly warnings: readonly string[];
}

const unknown = (message: string): NodeError => new NodeError("subject_not_found", `${message} Nothing was charged.`);

/**
 * A company's filings and facts by its ticker: two rounds of calls.
 * @throws NodeError subject_not_found for a ticker the SEC does not list, and for registrants without statements.
 */
export async function loadCompany(context: Pick<FetchContext, "get">, symbol: string): Promise<Company> {
  const run = async (): Promise<Company> => {
    const { by_ticker } = await fetchTickers(context);
    const listing = by_ticker.get(symbol);
    if (!listing) {
      const about = { param: "symbol", got: symbol, known: by_ticker.keys() };
      throw createNoSuchSubject(`The SEC lists no ticker ${symbol}.`, about);
    }
    const [registrant, filed] = await Promise.all([
      fetchRegistrant(context, listing.cik),
      fetchCompanyFacts(context, listing.cik).catch((error: unknown) => {
        const is_none = error instanceof UpstreamError && error.kind === "upstream_not_found";
        throw is_none ? unknown(`${symbol} files no financial statements in XBRL.`) : error;
      }),
    ]);
    return { listing, registrant, ...filed };
  };
  try {
    return await run();
  } catch (error) {
    throw toNodeError([error], symbol);
  }
}
