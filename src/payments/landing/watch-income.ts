import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { IncomeRow } from "../../ledger/list-income.ts";
import type { Network } from "../networks/table.ts";
import type { ChainReader, IncomeReader } from "./chain-reader.ts";
import type { IncomeComparison } from "./compare-income.ts";
import { type ComparisonQuestion, readComparison, SETTLING_MS } from "./read-comparison.ts";

/** Compares the wallets with the books, day by day: what a restored backup does not know shows in the wallet alone. */
export interface IncomeWatch {
  /** Looks at the last days of every wallet whose chain can be listed. @throws Error when the books cannot be read. */
  pass(): Promise<void>;
  /** What each look found last; a network that could not be read keeps what was found before. */
  found(): readonly IncomeComparison[];
}

export interface IncomeWatchOptions {
  readonly wallets: readonly { readonly network: Network; readonly pay_to: string }[];
  readonly chain: Pick<ChainReader, "canRead"> & IncomeReader;
  readonly readIncome: (period: { from_ms: number; until_ms: number }) => Promise<readonly IncomeRow[]>;
  readonly readExplained: ComparisonQuestion["readExplained"];
  /** When the newest sale was settled, ms; null before the first. */
  readonly newest_sale_ms: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const DAY_MS = 86_400_000;
/** Each transfer is looked at on three days: a chain that could not be read on one of them is read on the next. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** How far back a look goes when the books end earlier, as they do after the restore of an old backup. */
const LOOK_BACK_MS_MAX = 30 * DAY_MS;

export function createIncomeWatch(options: IncomeWatchOptions): IncomeWatch {
  const { wallets, chain, readIncome, readExplained, newest_sale_ms, clock, log } = options;
  const seen = new Map<string, IncomeComparison>();
  return {
    async pass() {
      const now_ms = clock.now();
      const newest_ms = (await newest_sale_ms()) ?? now_ms;
      const from_ms = Math.max(now_ms - LOOK_BACK_MS_MAX, Math.min(now_ms - LOOK_BACK_MS, newest_ms - DAY_MS));
      for (const { network, pay_to } of wallets.filter((one) => chain.canRead(one.network))) {
        try {
          const period = { from_ms, until_ms: now_ms - SETTLING_MS };
          const compared = await readComparison({ network, pay_to, ...period, chain, readIncome, readExplained });
          seen.set(network.id, compared);
          const { transactions, unbooked, not_on_chain, dust, unopened } = compared;
          const counts = { transactions, unbooked: unbooked.length, not_on_chain: not_on_chain.length };
          const beside = { dust: dust.count, unopened };
          log({ event: "income_compared", network: network.id, ...counts, ...beside });
        } catch (error) {
          log({ event: "income_not_compared", network: network.id, why: messageOf(error).slice(0, 300) });
        }
      }
    },
    found: () => [...seen.values()],
  };
}
