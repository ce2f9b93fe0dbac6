import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { getSimulatedLevel } from "./simulated-shares.ts";

/** Units for 1 euro, roughly. */
const LEVELS: Readonly<Record<string, number>> = {
  AUD: 1.72,
  BGN: 1.9558,
  BRL: 6.2,
  CAD: 1.605,
  CHF: 0.946,
  CNY: 8.25,
  CZK: 24.3,
  DKK: 7.46,
  GBP: 0.8588,
  HKD: 8.92,
  HUF: 385,
  IDR: 18_900,
  ILS: 3.85,
  INR: 98.2,
  ISK: 143,
  JPY: 180.9,
  KRW: 1_620,
  MXN: 21.3,
  MYR: 4.8,
  NOK: 11.7,
  NZD: 1.98,
  PHP: 66.9,
  PLN: 4.25,
  RON: 5.05,
  SEK: 11.29,
  SGD: 1.485,
  THB: 37.6,
  TRY: 47,
  USD: 1.146,
  ZAR: 20.1,
};
const CALM = 0.14;

export const isSimulatedCurrency = (currency: string): boolean => Object.hasOwn(LEVELS, currency);

/** Units of a currency for 1 euro at a time: what all simulated sources of currencies agree on. */
export function getSimulatedEuro(world: SimulatedWorld, currency: string, at_ms: number): number {
  if (currency === "EUR") return 1;
  return getSimulatedLevel(world, `fx ${currency}`, { level: LEVELS[currency] ?? 1, calm: CALM, at_ms });
}

/** Units of `quote` for 1 `base`. */
export const getSimulatedCross = (world: SimulatedWorld, base: string, quote: string): number =>
  getSimulatedEuro(world, quote, world.now()) / getSimulatedEuro(world, base, world.now());
