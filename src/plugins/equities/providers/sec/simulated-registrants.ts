import { SIMULATED_SHARES } from "intel-node/providers/simulated-shares";

export interface SimulatedRegistrant {
  readonly cik: number;
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string;
  /** Standard Industrial Classification: 6021 is a bank, 6726 a fund. */
  readonly sic: string;
}

const NAMES: Readonly<Record<string, readonly [cik: number, name: string]>> = {
  AAPL: [320_193, "Apple Inc."],
  MSFT: [789_019, "MICROSOFT CORP"],
  NVDA: [1_045_810, "NVIDIA CORP"],
  JPM: [19_617, "JPMORGAN CHASE & CO"],
};
const BANKS = ["JPM", "BAC", "GS", "WFC"];
const FUNDS = ["SPY", "QQQ"];
const CIK_FROM = 1_600_000;

const sicOf = (ticker: string): string => (FUNDS.includes(ticker) ? "6726" : BANKS.includes(ticker) ? "6021" : "3571");

/** The shares of the simulated market as registrants; only the first few have numbers and names of real ones. */
export const SIMULATED_REGISTRANTS: readonly SimulatedRegistrant[] = SIMULATED_SHARES.map((ticker, index) => {
  const [cik, name] = NAMES[ticker] ?? [CIK_FROM + index, `${ticker} CORP`];
  return { cik, name, ticker, exchange: index % 3 === 0 ? "Nasdaq" : "NYSE", sic: sicOf(ticker) };
});
