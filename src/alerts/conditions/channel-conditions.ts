import { renderUSD } from "../../core/money.ts";
import type { ChannelTotals } from "../../ledger/channel-rows.ts";
import type { AlertCondition } from "../types.ts";

/** Once may be anything. */
const FAILED_MIN = 2;

/** What is wrong with payment channels: their money may be withdrawn by who paid it. */
export function findChannels(
  totals: readonly ChannelTotals[],
  { times, why }: { readonly times: number; readonly why: string | null },
): readonly AlertCondition[] {
  const unclaimed = totals.reduce((sum, one) => sum + one.unclaimed, 0n);
  const withdrawing = totals.reduce((sum, one) => sum + one.withdrawing, 0);
  return [
    ...(times < FAILED_MIN
      ? []
      : [
          {
            id: "channels:claim",
            severity: "critical" as const,
            title: "what payment channels earned cannot be claimed",
            text: `${times} times in a row: ${why}. ${renderUSD(unclaimed)} USDC are unclaimed, and can be withdrawn.`,
            for_ms: 0,
          },
        ]),
    ...(withdrawing === 0 || unclaimed === 0n
      ? []
      : [
          {
            id: "channels:withdrawal",
            severity: "warning" as const,
            title: "a payer withdraws from a channel that is not claimed yet",
            text: "It is claimed in the next round, long before the delay ends. If this stays, see the log.",
            for_ms: 300_000,
          },
        ]),
  ];
}
