import { renderUSD } from "../../core/money.ts";
import type { IncomeComparison } from "../../payments/landing/compare-income.ts";
import { networkById } from "../../payments/networks/table.ts";
import type { AlertCondition } from "../types.ts";

/**
 * Money that came to a wallet and is in no book: buyers who paid and got nothing, after the restore of an older backup
 * above all. What is booked and never came is told as settlements that never landed.
 */
export const findUnbooked = (compared: readonly IncomeComparison[]): readonly AlertCondition[] =>
  compared.flatMap(({ network, unbooked }): AlertCondition[] => {
    if (unbooked.length === 0) return [];
    const sum = renderUSD(unbooked.reduce((total, { amount }) => total + amount, 0n));
    const title = networkById(network)?.title ?? network;
    const transfers = `${unbooked.length} ${unbooked.length === 1 ? "transfer" : "transfers"}`;
    return [
      {
        id: `income:${network}`,
        severity: "warning",
        title: `${transfers} to your wallet on ${title} stand in no book`,
        text: `${sum} USDC in all. "intel-node books compare" names each one: give it back or serve it.`,
        for_ms: 0,
        subjects: unbooked.map(({ transaction }) => transaction),
      },
    ];
  });
