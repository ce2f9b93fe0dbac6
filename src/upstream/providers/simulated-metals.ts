import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { getSimulatedLevel } from "./simulated-shares.ts";

/** US dollars for a troy ounce, roughly; gold follows the token backed by an ounce of gold. */
const LEVELS: Readonly<Record<string, number>> = { XAG: 52, XPT: 1_560, XPD: 1_420 };
const CALM = 0.3;

export const isSimulatedMetal = (code: string): boolean => code === "XAU" || Object.hasOwn(LEVELS, code);

/** US dollars for a troy ounce at a time: what all simulated sources of metals agree on. */
export function getSimulatedMetal(world: SimulatedWorld, code: string, at_ms = world.now()): number {
  if (code === "XAU") return world.price("PAXG", at_ms);
  return getSimulatedLevel(world, `metal ${code}`, { level: LEVELS[code] ?? 1, calm: CALM, at_ms });
}
