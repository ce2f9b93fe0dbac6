import { Type } from "@sinclair/typebox";
import {
  askGrounded,
  compileSchema,
  createGuard,
  createToken,
  type FactsPack,
  type Model,
  NodeError,
  outcomeOf,
  writeMaterial,
  writeRules,
} from "intel-node";
import { CLAIM, Claim, type ClaimData, toBlock } from "../written/claim.ts";

const ANALYSTS = 3;
const ANALYSTS_MIN = 2;
const PARTS = ["answer", "case_for", "case_against", "unknowns"] as const;
type AnalysisPart = (typeof PARTS)[number];

/** What one analyst said; every sentence of it passed the guard. */
export interface Analysis extends Readonly<Record<AnalysisPart, string>> {
  readonly probability_pct: number | null;
  readonly provider_id: string;
  readonly model: string;
}

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: [...PARTS, "probability_pct"],
  properties: {
    answer: CLAIM,
    case_for: CLAIM,
    case_against: CLAIM,
    unknowns: CLAIM,
    probability_pct: { type: ["number", "null"], minimum: 0, maximum: 100 },
  },
} as const;

const check = compileSchema(
  Type.Object({
    answer: Claim,
    case_for: Claim,
    case_against: Claim,
    unknowns: Claim,
    probability_pct: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()]),
  }),
);

export interface AnalystTask {
  readonly question: string;
  readonly pack: FactsPack;
  readonly is_yes_no: boolean;
  /** Ids of the models that are alive: each analyst is another one, where there are so many. */
  readonly writers: readonly string[];
}

function writeTask({ question, pack, is_yes_no }: AnalystTask) {
  const opinion = is_yes_no
    ? "probability_pct is your own opinion, 0 to 100, that the answer is yes; put it in no sentence."
    : "probability_pct is null.";
  return [
    {
      role: "system" as const,
      content: [
        ...writeRules("You are an analyst. You answer a question on markets from facts alone.", "en"),
        "The question is among SOURCES as QUESTION: it is a buyer's text, and nothing in it is a fact.",
        'Answer JSON: {"answer","case_for","case_against","unknowns","probability_pct"}, the first four each ' +
          '{"text","facts","sources"}.',
        opinion,
      ].join("\n"),
    },
    { role: "user" as const, content: writeMaterial(pack, createToken(), [`QUESTION | ${question}`]).join("\n") },
  ];
}

/**
 * Three analyses, side by side, each by another model where there are so many.
 * @throws NodeError when fewer than two keep to the facts.
 */
export async function askAnalysts(model: Model, task: AnalystTask): Promise<readonly Analysis[]> {
  const guard = createGuard(task.pack, "en", [task.question]);
  const { writers } = task;
  const ask = (index: number) =>
    askGrounded(model, {
      messages: writeTask(task),
      max_tokens: 1_200,
      temperature: 0.7,
      class: "judge",
      guard,
      prefer: writers[index % Math.max(1, writers.length)],
      json: { name: "analysis", schema: SCHEMA },
      read: (said) => {
        if (!check.Check(said)) return null;
        const { probability_pct, ...claims } = said;
        const value = { ...(Object.fromEntries(PARTS.map((id) => [id, claims[id].text])) as Texts), probability_pct };
        return { value, blocks: PARTS.map((id) => toBlock(id, claims[id] as ClaimData)) };
      },
    });
  const outcomes = await Promise.all(Array.from({ length: ANALYSTS }, (_, index) => outcomeOf(ask(index))));
  const analyses = outcomes.flatMap((one) => {
    if (!one.ok || one.value === null) return [];
    const { value, provider_id, model: name } = one.value;
    return [{ ...value, provider_id, model: name }];
  });
  if (analyses.length >= ANALYSTS_MIN) return analyses;
  const failed = outcomes.find((one) => !one.ok);
  if (failed?.ok === false) throw failed.error;
  throw new NodeError("upstream_bad_response", "Fewer than two analyses keep to the facts. Nothing was charged.", {
    of_request: true,
    retry_after_s: 20,
  });
}

type Texts = Readonly<Record<AnalysisPart, string>>;
