import { getOwn } from "../../../core/own.ts";

/** Kraken's own names of some assets. */
const NAMES: Readonly<Record<string, string>> = { BTC: "XBT", DOGE: "XDG" };

/** Kraken's name of the pair BASE/USD in requests, such as "XBTUSD". */
export const getKrakenPair = (base: string): string => `${getOwn(NAMES, base) ?? base}USD`;
