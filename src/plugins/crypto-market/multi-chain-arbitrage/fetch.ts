import { type FetchContext, NodeError } from "intel-node";
import { POOL_TABLE_PROVIDERS } from "../dex/pool-tables.ts";
import { readScan, type Scan } from "../dex/stored-scan.ts";

/**
 * The newest stored scan, with its sources. No upstream is called: one request must not cause calls on six chains.
 * @throws NodeError without a scan of the last 10 minutes.
 */
export async function fetchMultiChain(context: FetchContext): Promise<Scan> {
  const scan = await readScan(context);
  if (!scan) {
    const message = "No scan of the chains' pools in the last 10 minutes. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  for (const source of scan.sources) context.cite(source);
  // Prices of a table whose licence the operator has withdrawn since are not sold.
  const mids = scan.mids.filter(({ source }) =>
    POOL_TABLE_PROVIDERS.some((provider) => provider.id === source && context.usable(provider)),
  );
  return { ...scan, mids };
}
