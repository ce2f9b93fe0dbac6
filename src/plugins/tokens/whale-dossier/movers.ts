import { SCANNED_CHAINS, type ScannedChain } from "../whales/chains.ts";
import type { TransferRow } from "../whales/tables.ts";

/** An address and what it moved. */
export interface Mover {
  readonly address: string;
  /** Where it moved most. */
  readonly chain: ScannedChain;
  readonly gross_usd_24h: number;
  /** In less out. */
  readonly net_usd_24h: number;
  readonly gross_usd: number;
}

const DAY_MS = 86_400_000;
const BURNT = /^0x0{36,40}/;

/**
 * Addresses at either end of transfers, by chain: most moved within a day first. The zero address, burn addresses and
 * the tokens' own contracts are left out.
 */
export function rankMovers(rows: readonly TransferRow[], now_ms: number): readonly Mover[] {
  const tokens = new Set(rows.map(({ token }) => token.toLowerCase()));
  const movers = new Map<string, Mover>();
  for (const { chain: name, from, to, usd, at_ms } of rows) {
    const chain = SCANNED_CHAINS.find((one) => one === name);
    if (!chain || from === to) continue;
    for (const [address, sign] of [
      [from, -1],
      [to, 1],
    ] as const) {
      if (BURNT.test(address) || tokens.has(address)) continue;
      const key = `${chain} ${address}`;
      const known = movers.get(key) ?? { address, chain, gross_usd_24h: 0, net_usd_24h: 0, gross_usd: 0 };
      const today = at_ms > now_ms - DAY_MS ? usd : 0;
      movers.set(key, {
        ...known,
        gross_usd_24h: known.gross_usd_24h + today,
        net_usd_24h: known.net_usd_24h + sign * today,
        gross_usd: known.gross_usd + usd,
      });
    }
  }
  return [...movers.values()].sort((a, b) => b.gross_usd_24h - a.gross_usd_24h || b.gross_usd - a.gross_usd);
}
