/** The factors that rank a cluster, each 0 to 1. */
export interface RankFactors {
  /** 1 now, 1/e after 12 h. */
  readonly recency: number;
  /** Weight of the best source. */
  readonly tier: number;
  /** How many independent domains report it: 1 from five on. */
  readonly corroboration: number;
  /** How much it is about the subject: terms found, 1 from two on. */
  readonly relevance: number;
}

const WEIGHTS: Readonly<RankFactors> = { recency: 0.4, tier: 0.2, corroboration: 0.25, relevance: 0.15 };
const FADE_H = 12;
const DOMAINS_FULL = 5;
const TERMS_FULL = 2;

/** The factors of a cluster of `age_h`, reported by `domains`, with `terms` of the subject in its titles. */
export const rankFactors = (of: {
  readonly age_h: number;
  readonly tier: number;
  readonly domains: number;
  readonly terms: number;
}): RankFactors => ({
  recency: Math.exp(-of.age_h / FADE_H),
  tier: of.tier,
  corroboration: Math.min(1, Math.log(1 + of.domains) / Math.log(1 + DOMAINS_FULL)),
  relevance: Math.min(1, of.terms / TERMS_FULL),
});

/** 0 to 100. The weights are this node's own. */
export const rankScore = (factors: RankFactors): number =>
  100 *
  (WEIGHTS.recency * factors.recency +
    WEIGHTS.tier * factors.tier +
    WEIGHTS.corroboration * factors.corroboration +
    WEIGHTS.relevance * factors.relevance);
