/** The figures of a row that rules use; null where unknown. */
export interface RiskFigures {
  readonly is_paused: boolean | null;
  readonly utilization_pct: number | null;
  readonly cap_used_pct: number | null;
  readonly share_drawdown_pct: number | null;
  /** How much less than its peg the underlying is worth, percent. */
  readonly below_peg_pct: number | null;
  readonly base_apy_pct: number;
  readonly base_apy_7d_pct: number | null;
  readonly is_rate: boolean;
  readonly reward_apr_pct: number | null;
  /** Days until the first of the rewards ends. */
  readonly reward_days: number | null;
  readonly locked_usd: number | null;
}

export interface RiskRule {
  readonly rule: string;
  /** The word is said when the figure is at least, or at most, the limit. */
  readonly when: "at_least" | "at_most";
  readonly limit: number;
  readonly figure: (row: RiskFigures) => number | null;
  /** What is compared, with its unit, and why. */
  readonly says: string;
}

const partOfRewards = ({ base_apy_pct, reward_apr_pct }: RiskFigures): number | null => {
  const total = base_apy_pct + (reward_apr_pct ?? 0);
  return reward_apr_pct === null || total <= 0 ? null : (reward_apr_pct / total) * 100;
};
const timesItsMean = ({ is_rate, base_apy_pct, base_apy_7d_pct }: RiskFigures): number | null =>
  !is_rate || base_apy_7d_pct === null || base_apy_7d_pct <= 0 ? null : base_apy_pct / base_apy_7d_pct;

/** All the words of risk there are. The limits are this node's own, not a standard; README.md has the same table. */
export const RISK_RULES = [
  {
    rule: "paused",
    when: "at_least",
    limit: 1,
    figure: ({ is_paused }) => (is_paused === null ? null : Number(is_paused)),
    says: "1 where the contract says that deposits are stopped",
  },
  {
    rule: "utilization_high",
    when: "at_least",
    limit: 95,
    figure: ({ utilization_pct }) => utilization_pct,
    says: "percent of the deposits lent out: the rest is all that can be taken back at once",
  },
  {
    rule: "cap_nearly_full",
    when: "at_least",
    limit: 95,
    figure: ({ cap_used_pct }) => cap_used_pct,
    says: "percent of the most that may be deposited",
  },
  {
    rule: "share_price_fell",
    when: "at_least",
    limit: 0.05,
    figure: (row) => row.share_drawdown_pct,
    says: "largest fall within 30 days, percent: such a share falls by losses alone",
  },
  {
    rule: "below_peg",
    when: "at_least",
    limit: 1,
    figure: ({ below_peg_pct }) => below_peg_pct,
    says: "percent that the underlying is worth less than the dollar, or the ether, it represents",
  },
  {
    rule: "mostly_rewards",
    when: "at_least",
    limit: 50,
    figure: partOfRewards,
    says: "percent of the total paid in another token, which may end and falls with that token's price",
  },
  {
    rule: "rewards_end_soon",
    when: "at_most",
    limit: 7,
    figure: ({ reward_days }) => reward_days,
    says: "days until the contract stops to pay a reward",
  },
  {
    rule: "rate_jumped",
    when: "at_least",
    limit: 2,
    figure: timesItsMean,
    says: "the rate of now by the mean of 7 days: a rate follows utilisation and returns with it",
  },
  {
    rule: "small",
    when: "at_most",
    limit: 1_000_000,
    figure: ({ locked_usd }) => locked_usd,
    says: "US dollars deposited",
  },
] as const satisfies readonly RiskRule[];

export const RISK_WORDS = RISK_RULES.map(({ rule }) => rule);
export type RiskWord = (typeof RISK_WORDS)[number];

/** The words whose rules hold, each with its figure. A rule with an unknown figure says nothing. */
export const findRisks = (row: RiskFigures) =>
  RISK_RULES.flatMap(({ rule, when, limit, figure }: RiskRule & { readonly rule: RiskWord }) => {
    const value = figure(row);
    if (value === null || (when === "at_least" ? value < limit : value > limit)) return [];
    return [{ rule, value, limit }];
  });
