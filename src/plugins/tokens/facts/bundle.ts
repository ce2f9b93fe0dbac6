import type { PumpTape } from "../providers/pump-fun/trades.ts";

/** Tokens of a launchpad coin. */
const PUMP_SUPPLY = 1_000_000_000;

export interface WalletBundle {
  readonly wallets: number;
  readonly pct: number;
  readonly slots: number;
  /** What those wallets hold by the tape, and when they came. */
  readonly early: readonly { readonly address: string; readonly slot_offset: number; readonly pct: number }[];
}

/**
 * Supply that others than the creator bought in the slot of the launch and the next one. Null when the tape does not
 * go back to the launch: then it says nothing of the first seconds.
 */
export function getBundle({ trades, is_whole }: PumpTape): WalletBundle | null {
  const [first] = trades;
  if (!is_whole || !first) return null;
  const early = trades.filter(
    ({ slot, is_buy, wallet }) => is_buy && slot <= first.slot + 1 && wallet !== first.wallet,
  );
  const wallets = [...new Set(early.map(({ wallet }) => wallet))];
  const rows = wallets.map((address) => {
    const own = early.filter(({ wallet }) => wallet === address);
    const tokens = own.reduce((sum, trade) => sum + trade.tokens, 0);
    return { address, slot_offset: (own[0]?.slot ?? first.slot) - first.slot, pct: (tokens / PUMP_SUPPLY) * 100 };
  });
  const pct = rows.reduce((sum, row) => sum + row.pct, 0);
  return { wallets: wallets.length, pct, slots: new Set(early.map(({ slot }) => slot)).size, early: rows };
}

/** Part of the creator's first purchase that he sold since, 0 to 1; null where the tape does not show it. */
export function getCreatorSold({ trades, is_whole }: PumpTape): number | null {
  const [first] = trades;
  if (!is_whole || !first?.is_buy || first.tokens === 0) return null;
  const own = trades.filter(({ wallet }) => wallet === first.wallet);
  const sold = own.filter(({ is_buy }) => !is_buy).reduce((sum, { tokens }) => sum + tokens, 0);
  return Math.min(1, sold / first.tokens);
}
