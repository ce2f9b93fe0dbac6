import { fitRobust } from "intel-node/quant/robust";
import { type Band, getSeverityOfBand, getSeverityOfZ, HISTORY_MIN } from "./rules.ts";
import type { AnomalyData, AnomalyType } from "./schema.ts";

/** A statistic that was looked at, odd or not. Nothing is rounded. */
export interface AnomalyFinding extends Omit<AnomalyData, "id" | "started_at" | "baseline"> {
  readonly started_at_ms: number;
  readonly baseline: number;
  /** How many sides of the normal distribution can raise it; null for bands. */
  readonly sides: 1 | 2 | null;
}

/** Why a type could not be looked at, for a warning. */
export interface Skipped {
  readonly type: AnomalyType;
  readonly symbol: string;
  readonly reason: string;
}

export interface AnomalyScan {
  readonly findings: readonly AnomalyFinding[];
  readonly skipped: readonly Skipped[];
}

type Common = Pick<AnomalyFinding, "type" | "symbol" | "unit" | "window_h" | "started_at_ms" | "note_code">;

interface ZRequest extends Common {
  /** Earlier values of the statistic, without the present one. */
  readonly history: readonly number[];
  readonly x: number;
  /** From the statistic to the figure shown, such as exp of a logarithm. */
  readonly show: (statistic: number) => number;
  /** "up": only values above the median are odd. */
  readonly only?: "up";
}

/** Compares a statistic with its own history; undefined when that is too short, constant, or not finite. */
export function lookByZ({ history, x, show, only, ...common }: ZRequest): AnomalyFinding | undefined {
  const fit = history.length < HISTORY_MIN ? null : fitRobust(history);
  if (fit === null || !Number.isFinite(x)) return undefined;
  const rz = (x - fit.median) / fit.scale;
  const distance = Math.abs(x - fit.median);
  const as_far = history.filter((one) => Math.abs(one - fit.median) >= distance).length;
  return {
    ...common,
    severity: only === "up" && rz < 0 ? 0 : getSeverityOfZ(rz),
    direction: rz === 0 ? null : rz > 0 ? "up" : "down",
    value: show(x),
    baseline: show(fit.median),
    rz,
    rarity: as_far / history.length,
    sides: only === "up" ? 1 : 2,
  };
}

interface BandRequest extends Common {
  /** The reading that the band is about, in the band's unit. */
  readonly size: number;
  readonly band: Band;
  readonly direction: AnomalyFinding["direction"];
  /** From the band's unit to the figure shown. */
  readonly factor: number;
  readonly rarity?: number;
}

/** Places a reading in its band. */
export function lookByBand({ size, band, factor, rarity, ...common }: BandRequest): AnomalyFinding {
  const sign = common.direction === "down" ? -1 : 1;
  return {
    ...common,
    severity: getSeverityOfBand(size, band),
    value: sign * size * factor,
    baseline: sign * band.lo * factor,
    rz: null,
    rarity: rarity ?? null,
    sides: null,
  };
}
