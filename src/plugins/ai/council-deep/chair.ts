import type { FactsPack, SentenceWriter, WritingPlan } from "intel-node";
import type { SeatVote } from "../seats/seats.ts";
import type { ModelVote } from "./debate.ts";
import { DEEP_SEAT_IDS, type SeatVotes } from "./seats.ts";

export interface ChairStory {
  readonly symbol: string;
  readonly pack: FactsPack;
  /** Of the round that decides. */
  readonly votes: SeatVotes<ModelVote>;
  readonly verdict: SeatVote;
}

/** The seats of a vote, each with its confidence. */
const sayVotes =
  ({ votes }: ChairStory, wanted: SeatVote) =>
  ({ say, show }: SentenceWriter): void => {
    const seats = DEEP_SEAT_IDS.filter((id) => votes[id]?.vote === wanted);
    if (seats.length === 0) say`No seat votes ${wanted}; its share of the weight is ${show(`${wanted}_share`)}.`;
    for (const id of seats) say`The ${id} seat votes ${wanted} with a confidence of ${show(`${id}_confidence`)}.`;
  };

const saySummary =
  ({ symbol, verdict }: ChairStory) =>
  ({ say, show }: SentenceWriter): void => {
    say`On ${symbol} the council is ${verdict}, with a score of ${show("score")} and a dispersion of
    ${show("dispersion")}.`;
    say`By weight, ${show("bullish_share")} vote bullish, ${show("neutral_share")} neutral and ${show("bearish_share")}
    bearish.`;
  };

/** The surest seats of either side: what divides the council. */
const sayCrux =
  ({ votes }: ChairStory) =>
  ({ say, show }: SentenceWriter): void => {
    const surest = (wanted: SeatVote) =>
      DEEP_SEAT_IDS.filter((id) => votes[id]?.vote === wanted).toSorted(
        (a, b) => (votes[b]?.confidence ?? 0) - (votes[a]?.confidence ?? 0),
      )[0];
    const [bull, bear] = [surest("bullish"), surest("bearish")];
    if (bull && bear) {
      say`The ${bull} seat, with ${show(`${bull}_confidence`)}, stands against the ${bear} seat, with
      ${show(`${bear}_confidence`)}.`;
    } else say`No seats stand against each other; the dispersion is ${show("dispersion")}.`;
  };

const sayWatchlist =
  ({ symbol }: ChairStory) =>
  ({ say, show }: SentenceWriter): void => {
    say`${symbol} closed at ${show("close")}; its averages stand at ${show("sma50")} over 50 days and at
    ${show("sma200")} over 200 days.`;
    say`Fear and greed reads ${show("fear_greed")}.`;
    say`Funding stands at ${show("funding")} for 8 hours.`;
  };

/** The chair's report, from the votes and the reasons they were given with. */
export const planChair = (story: ChairStory): WritingPlan => ({
  pack: story.pack,
  locale: "en",
  task: `You chair a council that voted on ${story.symbol} in two rounds, and report its debate. NOTES hold the votes.`,
  notes: DEEP_SEAT_IDS.flatMap((id) => {
    const vote = story.votes[id];
    return vote ? [`${id}: ${vote.vote}. ${vote.reasons.map(({ text }) => text).join(" ")}`] : [];
  }),
  blocks: [
    { id: "summary", about: "verdict and votes", words_max: 80, template: saySummary(story) },
    { id: "case_for", about: "what speaks for a rise", words_max: 100, template: sayVotes(story, "bullish") },
    { id: "case_against", about: "what speaks for a fall", words_max: 100, template: sayVotes(story, "bearish") },
    { id: "crux", about: "the fact that divides the seats", words_max: 60, template: sayCrux(story) },
    { id: "watchlist", about: "levels to watch", words_max: 60, template: sayWatchlist(story) },
  ],
});
