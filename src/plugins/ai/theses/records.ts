import { type Static, Type } from "@sinclair/typebox";
import {
  closed,
  compileSchema,
  createMerkleRoot,
  type HistoryMoment,
  hashOutcomeLeaf,
  type Records,
  type StoredRecord,
} from "intel-node";

/** Chain of the theses: three records per thesis, one per horizon, each graded separately. */
export const THESES = "theses";
export const MODEL_ID = "thesis-v1";
export const HORIZONS_D = [7, 30, 90] as const;
/** Cost of both sides taken off every result, basis points. */
export const COST_BPS = "20.0";
const READ_MAX = 1_000;

const Hash = (description: string) => Type.String({ pattern: "^[0-9a-f]{64}$", description });
const Time = (description: string) =>
  Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$", description });
const Decimal = (description: string) => Type.String({ pattern: "^-?\\d{1,15}(\\.\\d{1,18})?$", description });
const literal = <T extends string>(value: T, description: string) => Type.Literal(value, { description });

export const ThesisRecord = Type.Object(
  {
    v: Type.Literal(1, { description: "Version of the record's form." }),
    seq: Type.Integer({ minimum: 1, description: "Place in the chain, from 1." }),
    model_id: literal(MODEL_ID, "What made it."),
    thesis_id: Type.String({ description: "Day and coin; the same for the three horizons." }),
    symbol: Type.String({ description: "Coin." }),
    side: Type.Union([Type.Literal("long"), Type.Literal("short"), Type.Literal("none")], {
      description: "long, short, or none: no edge.",
    }),
    strength: Type.Integer({ minimum: 0, maximum: 100, description: "0-100, the confidence of the signal behind it." }),
    horizon_h: Type.Integer({ minimum: 1, description: "Hours from entry to exit." }),
    emitted_at: Time("When it was written."),
    ref_price: Decimal("Newest daily close, US dollars."),
    sigma_pct: Decimal("Volatility of 30 days, percent a year."),
    minus2: Decimal("Two standard deviations down at the horizon, US dollars."),
    minus1: Decimal("One down."),
    plus1: Decimal("One up."),
    plus2: Decimal("Two up."),
    invalidation_price: Type.Union([Decimal("A close beyond it ends the thesis."), Type.Null()], {
      description: "A close beyond it ends the thesis; null for none.",
    }),
    basis_hash: Hash("SHA-256 of what it rests on."),
    cost_bps: Decimal("Cost of both sides, basis points."),
    prev_hash: Hash("record_hash of the record before it."),
  },
  closed,
);
export type ThesisRecordData = Static<typeof ThesisRecord>;

const stated = {
  v: Type.Literal(1, { description: "Version of the outcome's form." }),
  seq: Type.Integer({ minimum: 1, description: "Place of the record in the chain." }),
  record_hash: Hash("Of the record."),
};
export const ThesisOutcome = Type.Object(
  {
    ...stated,
    status: literal("scored", "It was graded."),
    entry_at: Time("Open of the first hour after it was written: the start of a UTC day."),
    entry_price: Decimal("That open, US dollars."),
    exit_at: Time("Entry plus the horizon."),
    exit_price: Decimal("Open at the exit, US dollars."),
    price_source: Type.String({ maxLength: 60, description: "Provider, coin and interval of both prices." }),
    gross_bps: Decimal("Result before costs, basis points."),
    net_bps: Decimal("Result after costs, basis points."),
    hit: Type.Boolean({ description: "net_bps above 0." }),
    in_1sigma: Type.Boolean({ description: "Whether the exit is within the band of one standard deviation." }),
  },
  closed,
);
export type ThesisOutcomeData = Static<typeof ThesisOutcome>;
const Unscorable = Type.Object({ ...stated, status: Type.Literal("unscorable"), reason: Type.String() }, closed);

const checkRecord = compileSchema(ThesisRecord);
const checkOutcome = compileSchema(Type.Union([ThesisOutcome, Unscorable]));

/** The basis of a thesis, kept beside its records: texts, so that its hash is the same everywhere. */
export const Basis = Type.Object({
  bar_close_at: Type.String(),
  regime: Type.Union([Type.String(), Type.Null()]),
  factors: Type.Array(
    Type.Object({ name: Type.String(), value: Type.Union([Type.String(), Type.Null()]), contribution: Type.String() }),
  ),
  base_rate: Type.Union([
    Type.Object({ n: Type.Integer(), hit_rate: Type.String(), low: Type.String(), high: Type.String() }),
    Type.Null(),
  ]),
  catalysts: Type.Union([
    Type.Array(Type.Object({ title: Type.String(), country: Type.String(), time_utc: Type.String() })),
    Type.Null(),
  ]),
});
export type BasisData = Static<typeof Basis>;
const checkBasis = compileSchema(Basis);

export interface StoredThesis {
  readonly record: ThesisRecordData;
  readonly record_hash: string;
  readonly basis: BasisData;
  readonly recorded_at_ms: number;
  readonly outcome: ThesisOutcomeData | null;
  readonly outcome_hash: string | null;
  readonly is_open: boolean;
}

/** @throws TypeError for what this chain cannot hold. */
export function readThesis({ record, record_hash, beside, recorded_at_ms, outcome }: StoredRecord): StoredThesis {
  const stated = outcome?.outcome ?? null;
  const is_known = checkRecord.Check(record) && checkBasis.Check(beside);
  if (!is_known || (stated !== null && !checkOutcome.Check(stated))) throw new TypeError("this is not a thesis");
  const scored = stated !== null && stated.status === "scored" ? (stated as ThesisOutcomeData) : null;
  const outcome_hash = scored === null ? null : (outcome?.outcome_hash ?? null);
  return {
    record,
    record_hash,
    basis: beside,
    recorded_at_ms,
    outcome: scored,
    outcome_hash,
    is_open: stated === null,
  };
}

/** Theses as of a moment: an outcome that was not logged by then does not count yet. */
export const asOf = (moment: HistoryMoment, theses: readonly StoredThesis[]): readonly StoredThesis[] =>
  theses
    .filter(({ record }) => record.seq <= moment.chain.length)
    .map((thesis) =>
      moment.placeOf(thesis.record.seq) === undefined
        ? { ...thesis, outcome: null, outcome_hash: null, is_open: true }
        : thesis,
    );

/** All theses, oldest first. */
export async function readTheses(records: Records): Promise<readonly StoredThesis[]> {
  const all: StoredThesis[] = [];
  for (;;) {
    const after_seq = all.at(-1)?.record.seq ?? 0;
    const page = await records.read(THESES, { after_seq, limit: READ_MAX });
    all.push(...page.map(readThesis));
    if (page.length < READ_MAX) return all;
  }
}

/** Root over the graded ones, in the order of the chain (RFC 6962). */
export function getOutcomesRoot(theses: readonly StoredThesis[]): string {
  const tree = createMerkleRoot();
  for (const { record_hash, outcome_hash } of theses) {
    if (outcome_hash !== null) tree.append(hashOutcomeLeaf(record_hash, outcome_hash));
  }
  return tree.root();
}
