/** Large US filers whose reports the calendar of /earnings-whisper expects. */
export const UNIVERSE: readonly string[] = [
  ...["AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "AVGO", "TSLA", "LLY", "JPM", "V", "MA", "XOM", "UNH", "COST"],
  ...["HD", "PG", "JNJ", "NFLX", "ORCL", "BAC", "CVX", "KO", "WMT", "AMD"],
];
