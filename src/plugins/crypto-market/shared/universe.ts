/** The larger coins that breadth is counted over. */
export const UNIVERSE_20 = [
  ...["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "AVAX", "LINK", "LTC"],
  ...["TRX", "DOT", "BCH", "SUI", "NEAR", "UNI", "AAVE", "ARB", "OP", "APT"],
] as const;
