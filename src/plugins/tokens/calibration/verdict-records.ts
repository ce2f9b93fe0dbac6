import { type Static, Type } from "@sinclair/typebox";
import { column, compileSchema, defineTable, parseDuration, type RowOf, type StoredRecord } from "intel-node";

/** Chain of the verdicts that will be graded, and chain of their grades: both are never changed. */
export const VERDICTS_CHAIN = "launch-verdicts";
export const GRADES_CHAIN = "launch-grades";
/** Days after a verdict at which it is graded. */
export const HORIZONS_D = [1, 7, 30] as const;
export const DAY_MS = parseDuration("1d");

/** A token that lost nine tenths of its price, or its liquidity; half of its price; or neither. */
export const OUTCOMES = ["rugged", "fell", "held", "missed"] as const;
export type VerdictOutcome = (typeof OUTCOMES)[number];

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Text = Type.String({ maxLength: 100 });
const Linked = { v: Type.Literal(1), seq: Type.Integer({ minimum: 1 }), prev_hash: Hash };
const Verdict = Type.Object(
  {
    ...Linked,
    chain: Text,
    token: Text,
    verdict: Text,
    basis: Text,
    risk: Text,
    judged_at: Text,
    inputs_sha256: Hash,
    price_usd: Text,
    liquidity_usd: Type.Union([Text, Type.Null()]),
  },
  { additionalProperties: false },
);
const Grade = Type.Object(
  {
    ...Linked,
    verdict_hash: Hash,
    chain: Text,
    token: Text,
    horizon_d: Type.Integer({ minimum: 1 }),
    graded_at: Text,
    outcome: Type.Union(OUTCOMES.map((one) => Type.Literal(one))),
    price_usd: Type.Union([Text, Type.Null()]),
    liquidity_usd: Type.Union([Text, Type.Null()]),
  },
  { additionalProperties: false },
);
const checkVerdict = compileSchema(Verdict);
const checkGrade = compileSchema(Grade);

/** Due verdicts and their outcomes, by token and horizon: made only from the chains, as an index. */
export const verdictGrades = defineTable({
  name: "tokens/verdict-grades",
  storage: "kept",
  columns: {
    chain: column.text(),
    token: column.text(),
    horizon_d: column.integer(),
    verdict: column.text(),
    verdict_hash: column.text(),
    price_usd: column.real(),
    due_ms: column.integer(),
    outcome: column.nullable(column.text()),
  },
  key: ["chain", "token", "horizon_d"],
  indexes: [["due_ms"]],
  retention: { column: "due_ms", keep: "400d" },
});
export type GradeRow = RowOf<typeof verdictGrades.columns>;

/** What follows from a verdict's record: a row for each day of its grading. @throws TypeError for another shape. */
export function toRows({ record, record_hash }: StoredRecord): readonly GradeRow[] {
  if (!checkVerdict.Check(record)) throw new TypeError("a record of the chain of verdicts does not match its schema");
  const { chain, token, verdict, judged_at, price_usd }: Static<typeof Verdict> = record;
  return HORIZONS_D.map((horizon_d) => ({
    chain,
    token,
    horizon_d,
    verdict,
    verdict_hash: record_hash,
    price_usd: Number(price_usd),
    outcome: null,
    due_ms: Date.parse(judged_at) + horizon_d * DAY_MS,
  }));
}

/** @throws TypeError for another shape. */
export function readGrade({ record }: StoredRecord): Static<typeof Grade> {
  if (!checkGrade.Check(record)) throw new TypeError("a record of the chain of grades does not match its schema");
  return record;
}
