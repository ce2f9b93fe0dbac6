import { type ContractReader, compoundRate, toNumber, YEAR_SECONDS } from "../protocol.ts";

const WAD = 1e18;
/** getUtilization(), isSupplyPaused(), getSupplyRate(uint256). */
export const SELECTORS = { utilization: "0x7eb71131", paused: "0x0bc47ad1", rate: "0xd955759d" } as const;

/** The markets that lend USDC (compound-finance/comet, deployments). */
const COMETS: readonly (readonly [ContractReader["chain"], string])[] = [
  ["ethereum", "0xc3d688B66703497DAA19211EEdff47f25384cdc3"],
  ["base", "0xb125E6687d4313864e53df431d5425969c15Eb2F"],
  ["arbitrum", "0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf"],
];

export const readers = COMETS.map(
  ([chain, contract]): ContractReader => ({
    ...{ project: "compound-v3", symbol: "USDC", chain, contract, is_stable: true },
    views: [SELECTORS.utilization, SELECTORS.paused].map((data) => ({ to: contract, data })),
    // The rate is a function of the utilisation, which has to be known first.
    more: ([utilization]) =>
      utilization?.[0] === undefined ? [] : [{ to: contract, data: SELECTORS.rate + utilization[0] }],
    read([utilization_words, paused_words], [rate_words]) {
      const [utilization, paused] = [toNumber(utilization_words?.[0]), toNumber(paused_words?.[0])];
      const rate = toNumber(rate_words?.[0]);
      if (rate === null || utilization === null) return null;
      return {
        ...{ rate_apy_pct: compoundRate((Number(rate) / WAD) * YEAR_SECONDS), share_price: null, cap_used_pct: null },
        ...{ is_paused: paused === null ? null : paused !== 0n, utilization_pct: (Number(utilization) / WAD) * 100 },
      };
    },
  }),
);
