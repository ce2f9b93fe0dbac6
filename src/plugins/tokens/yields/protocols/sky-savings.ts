import { type ContractReader, compoundRate, NOTHING, toNumber, YEAR_SECONDS } from "../protocol.ts";
import { SELECTORS } from "../share-price.ts";

const RAY = 10n ** 27n;
/** ssr(): what is paid every second, as a factor in ray. */
const SSR = "0x03607ceb";
const SUSDS = "0xa3931d71877C0E7a3148CB7Eb4463524FEc27fbD";

export const readers: readonly ContractReader[] = [
  {
    project: "sky-savings",
    symbol: "sUSDS",
    chain: "ethereum",
    contract: SUSDS,
    is_stable: true,
    underlying: "USDS",
    decimals: 18,
    views: [SSR, SELECTORS.assets].map((data) => ({ to: SUSDS, data })),
    read([[rate_words = null, assets_words = null] = []]) {
      const [factor, assets] = [toNumber(rate_words?.[0]), toNumber(assets_words?.[0])];
      if (!factor) return null;
      const locked = assets?.toString() ?? null;
      // What is above one, so that no digit of it is lost.
      const a_second = Number(factor - RAY) / Number(RAY);
      return { ...NOTHING, rate_apy_pct: compoundRate(a_second * YEAR_SECONDS), locked, rewards: [] };
    },
  },
];
