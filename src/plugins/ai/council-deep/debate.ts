import { Type } from "@sinclair/typebox";
import {
  askGrounded,
  compileSchema,
  createGuard,
  createToken,
  type FactsPack,
  type Model,
  outcomeOf,
  writeMaterial,
  writeRules,
} from "intel-node";
import type { Opinion, SeatVote } from "../seats/seats.ts";
import { CLAIM, Claim, type ClaimData, toBlock } from "../written/claim.ts";
import { against, DEEP_SEAT_IDS, type DeepSeatId, findMajority, type SeatVotes } from "./seats.ts";

/** A model's vote in a seat, every sentence of which passed the guard. */
export interface ModelVote extends Opinion {
  readonly reasons: readonly ClaimData[];
  readonly against: ClaimData;
  readonly change_mind: ClaimData;
  readonly provider_id: string;
  readonly model: string;
}

/** Facts each seat is shown, beside the close and the change of thirty days. */
const SHOWN: Readonly<Record<DeepSeatId, readonly string[] | "all">> = {
  trend: ["sma50", "sma200"],
  sentiment: ["fear_greed"],
  derivatives: ["funding"],
  macro: ["sma200"],
  risk: ["vol_rank"],
  onchain: ["fee_next", "fee_hour", "fee_urgency"],
  contrarian: "all",
};
const BASE = ["close", "return_30d"];

const check = compileSchema(
  Type.Object({
    vote: Type.Union([Type.Literal("bullish"), Type.Literal("neutral"), Type.Literal("bearish")]),
    confidence: Type.Number({ minimum: 0, maximum: 100 }),
    reasons: Type.Array(Claim, { minItems: 1, maxItems: 3 }),
    against: Claim,
    change_mind: Claim,
  }),
);

const schemaOf = (votes: readonly SeatVote[]) => ({
  type: "object",
  additionalProperties: false,
  required: ["vote", "confidence", "reasons", "against", "change_mind"],
  properties: {
    vote: { type: "string", enum: votes },
    confidence: { type: "integer", minimum: 0, maximum: 100 },
    reasons: { type: "array", items: CLAIM, maxItems: 3 },
    against: CLAIM,
    change_mind: CLAIM,
  },
});

export interface DebateTask {
  readonly symbol: string;
  /** The market's facts, and the headlines all seats see. */
  readonly pack: FactsPack;
  readonly regime: string | null;
  /** Seats whose facts are known. */
  readonly seats: readonly DeepSeatId[];
  /** Ids of the models that are alive: seats take them in turn. */
  readonly writers: readonly string[];
}

interface Turn {
  readonly seat: DeepSeatId;
  readonly votes: readonly SeatVote[];
  /** What the others said; empty in the first round. */
  readonly notes: readonly string[];
}

function askSeat(model: Model, task: DebateTask, { seat, votes, notes }: Turn) {
  const wanted = SHOWN[seat];
  const facts = task.pack.facts.filter(({ name }) => wanted === "all" || BASE.includes(name) || wanted.includes(name));
  const pack = { ...task.pack, facts };
  const role = seat === "contrarian" ? "You argue against the majority of the others." : `You judge ${seat} alone.`;
  const messages = [
    {
      role: "system" as const,
      content: [
        ...writeRules(`You hold the ${seat} seat of a council that votes on ${task.symbol}. ${role}`, "en"),
        `Vote one of ${votes.join(", ")}. vote and confidence (0 to 100) are your own; put them in no sentence.`,
        'Answer JSON: {"vote","confidence","reasons":[1 to 3 of {"text","facts","sources"}],"against","change_mind"}.',
      ].join("\n"),
    },
    {
      role: "user" as const,
      content: [
        ...(seat === "macro" && task.regime !== null ? [`The market regime is ${task.regime}.`] : []),
        ...(notes.length === 0 ? [] : ["NOTES: what the others said. Keep your vote or change it.", ...notes]),
        ...writeMaterial(pack, createToken()),
      ].join("\n"),
    },
  ];
  const index = DEEP_SEAT_IDS.indexOf(seat);
  return askGrounded(model, {
    messages,
    max_tokens: 700,
    temperature: 0.7,
    class: "fast",
    guard: createGuard(pack, "en"),
    prefer: task.writers[index % Math.max(1, task.writers.length)],
    json: { name: "seat", schema: schemaOf(votes) },
    read: (said) => {
      if (!check.Check(said) || !votes.includes(said.vote)) return null;
      const claims = [...said.reasons, said.against, said.change_mind];
      return { value: said, blocks: claims.map((claim, at) => toBlock(`${seat}_${at}`, claim)) };
    },
  });
}

const ALL_VOTES: readonly SeatVote[] = ["bullish", "neutral", "bearish"];
const line = (seat: DeepSeatId, { vote, reasons }: ModelVote): string => `${seat}: ${vote}. ${reasons[0]?.text ?? ""}`;

/** A round, and what stopped the seats that have no vote in it. */
export interface DebateRound {
  readonly votes: SeatVotes<ModelVote>;
  readonly errors: readonly unknown[];
}

async function askAll(model: Model, task: DebateTask, turns: readonly Turn[]): Promise<DebateRound> {
  const outcomes = await Promise.all(turns.map((turn) => outcomeOf(askSeat(model, task, turn))));
  const votes = Object.fromEntries(
    turns.map(({ seat }, index) => {
      const outcome = outcomes[index];
      if (!outcome?.ok || outcome.value === null) return [seat, null];
      const { value, provider_id, model: name } = outcome.value;
      return [seat, { ...value, provider_id, model: name }];
    }),
  ) as Partial<SeatVotes<ModelVote>>;
  const none = Object.fromEntries(DEEP_SEAT_IDS.map((id) => [id, null])) as SeatVotes<ModelVote>;
  return { votes: { ...none, ...votes }, errors: outcomes.flatMap((one) => (one.ok ? [] : [one.error])) };
}

/** The first round: each seat alone, then the one that argues against the majority. */
export async function holdFirstRound(model: Model, task: DebateTask): Promise<DebateRound> {
  const seats = task.seats.filter((seat) => seat !== "contrarian");
  const first = await askAll(
    model,
    task,
    seats.map((seat) => ({ seat, votes: ALL_VOTES, notes: [] })),
  );
  const votes = against(findMajority(first.votes));
  const last = await askAll(model, task, [{ seat: "contrarian", votes, notes: [] }]);
  return {
    votes: { ...first.votes, contrarian: last.votes.contrarian },
    errors: [...first.errors, ...last.errors],
  };
}

/** The second: each that voted reads the others' votes with their best reason, and keeps its own or changes it. */
export function holdSecondRound(model: Model, task: DebateTask, before: SeatVotes<ModelVote>): Promise<DebateRound> {
  const majority = findMajority(before);
  const spoke = DEEP_SEAT_IDS.filter((id) => before[id] !== null);
  return askAll(
    model,
    task,
    spoke.map((seat) => ({
      seat,
      votes: seat === "contrarian" ? against(majority) : ALL_VOTES,
      notes: spoke.flatMap((id) => {
        const vote = before[id];
        return id === seat || vote === null ? [] : [line(id, vote)];
      }),
    })),
  );
}
