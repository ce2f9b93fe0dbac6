import { type ContractReader, compoundFactor, NOTHING, toNumber } from "../protocol.ts";

const RAY = 1e27;
/** ssr(): what is paid every second, as a factor in ray. */
export const SSR = "0x03607ceb";
const SUSDS = "0xa3931d71877C0E7a3148CB7Eb4463524FEc27fbD";

export const readers: readonly ContractReader[] = [
  {
    ...{ project: "sky-savings", symbol: "sUSDS", chain: "ethereum", contract: SUSDS, is_stable: true },
    views: [{ to: SUSDS, data: SSR }],
    read([words]) {
      const factor = toNumber(words?.[0]);
      return factor ? { ...NOTHING, rate_apy_pct: compoundFactor(Number(factor) / RAY) } : null;
    },
  },
];
