import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { OtherAnswer, Outcome, SourceText } from "intel-node";
import type { BarSeries } from "intel-node/series/bar-series";
import type { FactsPart } from "../questions/ask-facts.ts";
import type { Candidate } from "./metrics.ts";

export const Calendar = Type.Object({
  events: Type.Array(
    Type.Object({
      title: Type.String(),
      country: Type.String(),
      time_utc: Type.String(),
      importance: Type.String(),
    }),
  ),
});
export const FearGreed = Type.Object({ value: Type.Number() });
export type StoryPart<S extends TSchema> = Outcome<OtherAnswer<Static<S>>>;

/** Facts of other products that a question asks for. */
export interface AskedStory {
  readonly parts: readonly FactsPart[];
  /** Names of the facts shown, as the pack has them, most shared words first. */
  readonly told: readonly { readonly name: string; readonly label: string }[];
}

export interface ResearchStory {
  readonly kind: "unusual" | "quiet" | "asked";
  /** Of a question; null without one. */
  readonly asked: AskedStory | null;
  readonly topic: Candidate;
  readonly runners_up: readonly Candidate[];
  readonly scanned: number;
  readonly series: readonly BarSeries[];
  readonly calendar: StoryPart<typeof Calendar>;
  readonly fear_greed: StoryPart<typeof FearGreed>;
  readonly texts: readonly SourceText[];
  readonly as_of_ms: number;
  readonly now_ms: number;
}
