/** What a seat of the council says of an asset. */
export type SeatVote = "bullish" | "neutral" | "bearish";

export interface Opinion {
  readonly vote: SeatVote;
  /** 0 to 100. */
  readonly confidence: number;
}

/** The seats, and what each weighs. */
export const SEATS = { trend: 1.5, sentiment: 1, derivatives: 1, macro: 1, risk: 1 } as const;
export type SeatId = keyof typeof SEATS;
export const SEAT_IDS = Object.keys(SEATS) as SeatId[];

/** What the rules of the seats read; null where it is unknown. */
export interface SeatInputs {
  readonly close: number;
  readonly sma50: number | null;
  readonly sma200: number | null;
  readonly return_30d_pct: number | null;
  readonly fear_greed: number | null;
  /** Funding of 8 hours, percent. */
  readonly funding_8h_pct: number | null;
  readonly regime: "bull" | "bear" | "chop" | null;
  /** Rank of the 30-day volatility within a year, percent. */
  readonly volatility_percentile: number | null;
}

const opinion = (vote: SeatVote, confidence: number): Opinion => ({ vote, confidence });

function voteTrend({ close, sma50, sma200, return_30d_pct }: SeatInputs): Opinion | null {
  if (sma50 === null || sma200 === null || return_30d_pct === null) return null;
  const count = [close > sma50, sma50 > sma200, return_30d_pct > 0].reduce((sum, is_up) => sum + (is_up ? 1 : -1), 0);
  return opinion(count > 0 ? "bullish" : "bearish", Math.abs(count) === 3 ? 80 : 40);
}

/** Extremes are read against the crowd, values in between with it. */
function voteSentiment({ fear_greed }: SeatInputs): Opinion | null {
  if (fear_greed === null) return null;
  if (fear_greed <= 20) return opinion("bullish", 55);
  if (fear_greed < 40) return opinion("bearish", 30);
  if (fear_greed <= 60) return opinion("neutral", 30);
  return fear_greed < 80 ? opinion("bullish", 30) : opinion("bearish", 55);
}

function voteDerivatives({ funding_8h_pct }: SeatInputs): Opinion | null {
  if (funding_8h_pct === null) return null;
  if (funding_8h_pct > 0.05) return opinion("bearish", 50);
  return funding_8h_pct < -0.01 ? opinion("bullish", 40) : opinion("neutral", 30);
}

function voteMacro({ regime }: SeatInputs): Opinion | null {
  if (regime === null) return null;
  return regime === "chop" ? opinion("neutral", 50) : opinion(regime === "bull" ? "bullish" : "bearish", 60);
}

function voteRisk({ volatility_percentile }: SeatInputs): Opinion | null {
  if (volatility_percentile === null) return null;
  return volatility_percentile > 80 ? opinion("bearish", 40) : opinion("neutral", 30);
}

const RULES: Readonly<Record<SeatId, (inputs: SeatInputs) => Opinion | null>> = {
  trend: voteTrend,
  sentiment: voteSentiment,
  derivatives: voteDerivatives,
  macro: voteMacro,
  risk: voteRisk,
};

/** What each seat says by its rule; null where it abstains because it knows nothing. */
export const voteByRules = (inputs: SeatInputs): Readonly<Record<SeatId, Opinion | null>> => ({
  trend: RULES.trend(inputs),
  sentiment: RULES.sentiment(inputs),
  derivatives: RULES.derivatives(inputs),
  macro: RULES.macro(inputs),
  risk: RULES.risk(inputs),
});
