/** One buy or sale of a wallet. */
export interface TradeFill {
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

/** Buys of one token that are not sold yet, from `first` on: taking an array's first one moves all the others. */
interface Lots {
  readonly bought: Lot[];
  first: number;
}

const DUST = 1e-12;

/** Takes a quantity from the oldest lots; what they do not hold stays unmatched. */
function takeOldest(lots: Lots, wanted: number, block: number) {
  let [left, cost_usd, qty_blocks] = [wanted, 0, 0];
  for (let lot = lots.bought[lots.first]; lot && left > wanted * DUST; lot = lots.bought[lots.first]) {
    const qty = Math.min(lot.qty, left);
    cost_usd += qty * lot.unit_usd;
    qty_blocks += qty * (block - lot.block);
    lot.qty -= qty;
    left -= qty;
    if (lot.qty <= qty * DUST) lots.first += 1;
  }
  return { qty: wanted - left, cost_usd, qty_blocks };
}

/** What is left of the buys of a token; null when nothing is. */
function sumLots({ bought, first }: Lots): { readonly qty: number; readonly cost_usd: number } | null {
  let [qty, cost_usd] = [0, 0];
  for (const lot of bought.slice(first)) {
    qty += lot.qty;
    cost_usd += lot.qty * lot.unit_usd;
  }
  return qty > 0 ? { qty, cost_usd } : null;
}

/**
 * First in, first out: each sale closes the oldest buys of its token. A sale without a purchase here is unmatched
 * and is never counted as a profit. Fills come one by one, in the order of the chain.
 */
export function createMatcher() {
  const lots = new Map<string, Lots>();
  const closed: ClosedSale[] = [];
  let [unmatched_usd, sold_usd] = [0, 0];
  return {
    add({ token, is_buy, qty, usd, block }: TradeFill): void {
      const own = lots.get(token) ?? { bought: [], first: 0 };
      lots.set(token, own);
      if (is_buy) {
        own.bought.push({ qty, unit_usd: usd / qty, block });
        return;
      }
      const taken = takeOldest(own, qty, block);
      const share = taken.qty / qty;
      sold_usd += usd;
      unmatched_usd += usd * (1 - share);
      if (share <= DUST) return;
      const { cost_usd, qty_blocks } = taken;
      closed.push({ token, qty: taken.qty, cost_usd, proceeds_usd: usd * share, held_blocks: qty_blocks / taken.qty });
    },
    end(): Matched {
      const open = [...lots].flatMap(([token, own]) => {
        const left = sumLots(own);
        return left ? [[token, left] as const] : [];
      });
      return { closed, open: new Map(open), unmatched_usd, sold_usd };
    },
  };
}

/** All of some fills, in the order of the chain. */
export function matchFills(fills: readonly TradeFill[]): Matched {
  const matcher = createMatcher();
  for (const fill of fills) matcher.add(fill);
  return matcher.end();
}

export interface WalletPerformance {
  readonly realized_pnl_usd: number;
  readonly matched_cost_usd: number;
  readonly closed: number;
  readonly wins: number;
  /** Largest fall of the sum of realised profits from its highest point before. */
  readonly max_drawdown_usd: number;
}

/** Profit of closed sales, before gas. */
export function getPerformance(closed: readonly ClosedSale[]): WalletPerformance {
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
