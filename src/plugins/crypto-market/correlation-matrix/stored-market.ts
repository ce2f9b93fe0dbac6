import type { DailyInstrument, DailyPoint } from "intel-node/series/daily-series";

/** A history of another market as stored. */
export interface StoredMarket {
  readonly instrument: Pick<DailyInstrument, "id" | "move" | "observed">;
  readonly points: readonly DailyPoint[];
  /** Older days are left out, since the price jumped on this one as a split makes it; absent without such a day. */
  readonly cut_before?: string;
}
