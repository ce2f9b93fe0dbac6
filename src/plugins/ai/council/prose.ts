import { createPack, type FactDraft, type SentenceWriter, type WritingPlan } from "intel-node";
import { type Opinion, SEAT_IDS, type SeatId, type SeatInputs } from "../seats/seats.ts";
import type { CouncilVerdict } from "../seats/verdict.ts";

export interface CouncilStory {
  readonly symbol: string;
  readonly read: SeatInputs;
  readonly votes: Readonly<Record<SeatId, Opinion | null>>;
  readonly verdict: CouncilVerdict;
  readonly as_of: string;
}

/** What the seats read of the market, as facts. */
export function listMarketFacts({ symbol: about, read, as_of }: Pick<CouncilStory, "symbol" | "read" | "as_of">) {
  const own = { from: "/council", as_of };
  const facts: readonly FactDraft[] = [
    { ...own, name: "close", label: `${about} close`, unit: "usd", about, value: read.close },
    { ...own, name: "sma50", label: "50-day average", unit: "usd", window: "50d", value: read.sma50 },
    { ...own, name: "sma200", label: "200-day average", unit: "usd", window: "200d", value: read.sma200 },
    {
      ...own,
      name: "return_30d",
      label: `${about} change, 30d`,
      unit: "pct",
      kind: "change",
      window: "30d",
      about,
      value: read.return_30d_pct,
    },
    { ...own, from: "/fear-greed", name: "fear_greed", label: "fear and greed", unit: "index", value: read.fear_greed },
    {
      ...own,
      from: "/market-brief",
      name: "funding",
      label: "funding of 8 hours",
      unit: "pct",
      kind: "change",
      window: "8h",
      value: read.funding_8h_pct,
    },
    { ...own, name: "vol_rank", label: "rank of volatility in a year", unit: "pct", value: read.volatility_percentile },
  ];
  return facts;
}

function createFacts({ symbol: about, read, votes, verdict, as_of }: CouncilStory) {
  const own = { from: "/council", as_of };
  const builder = createPack({ windows: ["30d", "50d", "200d", "8h"], subjects: { [about]: [] } });
  const seats = SEAT_IDS.map((id): FactDraft => {
    const value = votes[id]?.confidence;
    return { ...own, name: `${id}_confidence`, label: `confidence of the ${id} seat`, unit: "index", value };
  });
  const shares = (["bullish", "neutral", "bearish"] as const).map((vote): FactDraft => {
    const value = verdict.shares_pct[vote];
    return { ...own, name: `${vote}_share`, label: `${vote} share of the weight`, unit: "pct", value };
  });
  builder.addAll([
    { ...own, name: "score", label: "score of the council", unit: "number", value: verdict.score },
    { ...own, name: "dispersion", label: "dispersion of the seats", unit: "number", value: verdict.dispersion },
    ...shares,
    ...seats,
    ...listMarketFacts({ symbol: about, read, as_of }),
  ]);
  return builder.build();
}

const saySummary =
  ({ symbol, verdict }: CouncilStory) =>
  ({ say, show }: SentenceWriter): void => {
    say`On ${symbol} the council is ${verdict.verdict}, with a score of ${show("score")} and a dispersion of
    ${show("dispersion")}.`;
    say`By weight, ${show("bullish_share")} vote bullish, ${show("neutral_share")} neutral and ${show("bearish_share")}
    bearish.`;
  };

/** One sentence per seat, with what it read. */
const saySeats =
  ({ symbol, votes, read }: CouncilStory) =>
  ({ say, show }: SentenceWriter): void => {
    const { trend, sentiment, derivatives, macro, risk } = votes;
    if (trend) {
      say`The trend seat votes ${trend.vote} with a confidence of ${show("trend_confidence")}: ${symbol} closed at
      ${show("close")}.`;
      say`Its averages stand at ${show("sma50")} over 50 days and at ${show("sma200")} over 200 days.`;
      say`Over 30 days ${symbol} changed by ${show("return_30d")}.`;
    }
    if (sentiment) {
      say`The sentiment seat votes ${sentiment.vote} with ${show("sentiment_confidence")}, as fear and greed reads
      ${show("fear_greed")}.`;
    }
    if (derivatives) {
      say`The derivatives seat votes ${derivatives.vote} with ${show("derivatives_confidence")}, at funding of
      ${show("funding")} for 8 hours.`;
    }
    if (macro)
      say`The macro seat votes ${macro.vote} with ${show("macro_confidence")}, in a ${read.regime ?? ""}
    regime.`;
    if (risk) {
      say`The risk seat votes ${risk.vote} with ${show("risk_confidence")}, as volatility ranks at
      ${show("vol_rank")} of
      its year.`;
    }
  };

const sayDissent =
  ({ votes, verdict }: CouncilStory) =>
  ({ say, show }: SentenceWriter): void => {
    const other = SEAT_IDS.filter((id) => votes[id] !== null && votes[id]?.vote !== verdict.verdict);
    if (other.length === 0) say`No seat dissents from the verdict.`;
    for (const id of other) {
      say`The ${id} seat dissents: it votes ${votes[id]?.vote} with a confidence of ${show(`${id}_confidence`)}.`;
    }
  };

/** The bounds of the rules, which are not figures of the market. */
const sayChange =
  ({ symbol }: CouncilStory) =>
  ({ say, show }: SentenceWriter): void => {
    say`If ${symbol} were to close on the other side of its averages, at ${show("sma50")} and ${show("sma200")},
    the trend
    seat would change.`;
    say`If fear and greed left its range around ${show("fear_greed")}, the sentiment seat would change.`;
    say`A turn of the market regime would change the macro seat.`;
  };

/** The debate to be written. */
export const planCouncil = (story: CouncilStory): WritingPlan => ({
  pack: createFacts(story),
  locale: "en",
  task: "You chair a council of five seats that vote on a crypto asset, and report its debate.",
  blocks: [
    { id: "summary", about: "verdict and votes", words_max: 60, template: saySummary(story) },
    { id: "seats", about: "each seat and what it read", words_max: 120, template: saySeats(story) },
    { id: "dissent", about: "who disagrees", words_max: 60, template: sayDissent(story) },
    { id: "what_would_change", about: "what would change votes", words_max: 60, template: sayChange(story) },
  ],
});
