/** The coins that signals, sheets and portfolios are about. */
export const UNIVERSE_10 = ["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "AVAX", "LINK", "LTC"] as const;

/** The larger coins that breadth is counted over. */
export const UNIVERSE_20 = [
  ...UNIVERSE_10,
  ...["TRX", "DOT", "BCH", "SUI", "NEAR", "UNI", "AAVE", "ARB", "OP", "APT"],
] as const;

export interface Sector {
  /** Name in answers. */
  readonly id: string;
  /**
   * Canonical symbols. Hyperliquid lists coins of a tiny price by the thousand (kPEPE is 1,000 PEPE): its adapter
   * knows, and returns are the same.
   */
  readonly members: readonly string[];
}

/**
 * Groups of coins by what they are used for; no coin is in two. A member without candles is left out of an answer,
 * which says so; a sector needs two members.
 */
export const SECTORS: readonly Sector[] = [
  { id: "majors", members: ["BTC", "ETH"] },
  { id: "layer1", members: ["SOL", "ADA", "AVAX", "SUI", "NEAR", "APT", "TRX", "DOT"] },
  { id: "layer2", members: ["ARB", "OP", "STRK", "POL", "MNT"] },
  { id: "defi", members: ["UNI", "AAVE", "LDO", "CRV", "PENDLE", "JUP", "ENA"] },
  { id: "ai", members: ["TAO", "RENDER", "FET", "VIRTUAL", "WLD"] },
  { id: "meme", members: ["DOGE", "SHIB", "PEPE", "BONK", "WIF"] },
  { id: "infra", members: ["LINK", "PYTH", "FIL", "AR", "TIA"] },
  { id: "payments", members: ["XRP", "LTC", "BCH", "XLM"] },
  { id: "exchange", members: ["BNB", "HYPE"] },
  { id: "rwa", members: ["ONDO", "MKR"] },
  { id: "gaming", members: ["GALA", "IMX", "SAND", "AXS"] },
  { id: "privacy", members: ["ZEC", "XMR"] },
];

/** Every member of every sector. */
export const SECTOR_MEMBERS: readonly string[] = SECTORS.flatMap(({ members }) => members);
