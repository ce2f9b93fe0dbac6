/** One buy or sale of a wallet. */
export interface Fill {
  readonly token: string;
  readonly is_buy: boolean;
  readonly qty: number;
  readonly usd: number;
  readonly block: number;
}

/** A sale, as far as it was matched with earlier buys. */
export interface ClosedSale {
  readonly token: string;
  readonly qty: number;
  readonly cost_usd: number;
  readonly proceeds_usd: number;
  /** Blocks from buy to sale, weighted by quantity. */
  readonly held_blocks: number;
}

export interface Matched {
  readonly closed: readonly ClosedSale[];
  /** What is left of the buys, by token. */
  readonly open: ReadonlyMap<string, { readonly qty: number; readonly cost_usd: number }>;
  /** Part of the quantity sold that was never bought here, each sale weighing the same dollars it brought. */
  readonly unmatched_usd: number;
  readonly sold_usd: number;
}

interface Lot {
  qty: number;
  readonly unit_usd: number;
  readonly block: number;
}

const DUST = 1e-12;

/** Takes a quantity from the oldest lots; what they do not hold stays unmatched. */
function takeOldest(lots: Lot[], wanted: number, block: number) {
  let [left, cost_usd, qty_blocks] = [wanted, 0, 0];
  for (let lot = lots[0]; lot && left > wanted * DUST; lot = lots[0]) {
    const qty = Math.min(lot.qty, left);
    cost_usd += qty * lot.unit_usd;
    qty_blocks += qty * (block - lot.block);
    lot.qty -= qty;
    left -= qty;
    if (lot.qty <= qty * DUST) lots.shift();
  }
  return { qty: wanted - left, cost_usd, qty_blocks };
}

/**
 * First in, first out: each sale closes the oldest buys of its token. What was sold and never bought here is unmatched
 * and is never counted as a profit. Fills are in the order of the chain.
 */
export function matchFills(fills: readonly Fill[]): Matched {
  const lots = new Map<string, Lot[]>();
  const closed: ClosedSale[] = [];
  let [unmatched_usd, sold_usd] = [0, 0];
  for (const { token, is_buy, qty, usd, block } of fills) {
    const own = lots.get(token) ?? [];
    lots.set(token, own);
    if (is_buy) {
      own.push({ qty, unit_usd: usd / qty, block });
      continue;
    }
    const taken = takeOldest(own, qty, block);
    const share = taken.qty / qty;
    sold_usd += usd;
    unmatched_usd += usd * (1 - share);
    if (share <= DUST) continue;
    const { cost_usd, qty_blocks } = taken;
    closed.push({ token, qty: taken.qty, cost_usd, proceeds_usd: usd * share, held_blocks: qty_blocks / taken.qty });
  }
  const rest = [...lots].flatMap(([token, own]) => {
    const qty = own.reduce((sum, lot) => sum + lot.qty, 0);
    const cost_usd = own.reduce((sum, lot) => sum + lot.qty * lot.unit_usd, 0);
    return qty > 0 ? [[token, { qty, cost_usd }] as const] : [];
  });
  return { closed, open: new Map(rest), unmatched_usd, sold_usd };
}

export interface Performance {
  readonly realized_pnl_usd: number;
  readonly matched_cost_usd: number;
  readonly closed: number;
  readonly wins: number;
  /** Largest fall of the sum of realised profits from its highest point before. */
  readonly max_drawdown_usd: number;
}

/** Profit of closed sales, before gas. */
export function getPerformance(closed: readonly ClosedSale[]): Performance {
  let [realized_pnl_usd, matched_cost_usd, wins, highest, max_drawdown_usd] = [0, 0, 0, 0, 0];
  for (const { proceeds_usd, cost_usd } of closed) {
    realized_pnl_usd += proceeds_usd - cost_usd;
    matched_cost_usd += cost_usd;
    if (proceeds_usd > cost_usd) wins += 1;
    highest = Math.max(highest, realized_pnl_usd);
    max_drawdown_usd = Math.max(max_drawdown_usd, highest - realized_pnl_usd);
  }
  return { realized_pnl_usd, matched_cost_usd, closed: closed.length, wins, max_drawdown_usd };
}

/** What a copier would have made who bought and sold `haircut_bps` worse each time. */
export const getCopyProfit = (closed: readonly ClosedSale[], haircut_bps: number): number => {
  const h = haircut_bps / 10_000;
  return closed.reduce((sum, one) => sum + one.proceeds_usd * (1 - h) - one.cost_usd * (1 + h), 0);
};
