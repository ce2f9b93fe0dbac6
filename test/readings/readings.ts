import type { Readings } from "../helpers/recorded.ts";
import { chainReadings } from "./chains.ts";
import { listReadings } from "./lists.ts";
import { marketReadings } from "./markets.ts";
import { officialReadings } from "./official.ts";
import { searchReadings } from "./searches.ts";
import { venueReadings } from "./venues.ts";

/** Every reading of recorded bytes, by provider. */
export const READINGS: Readings = {
  ...venueReadings,
  ...marketReadings,
  ...officialReadings,
  ...listReadings,
  ...chainReadings,
  ...searchReadings,
};
