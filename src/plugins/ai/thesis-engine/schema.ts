import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text, WRITTEN_FIELDS } from "intel-node";
import { ThesisOutcome, ThesisRecord } from "../theses/records.ts";

const price = (description: string) => Type.Number({ description: `${description}, US dollars.`, digits: 10 });
const decimal = (description: string, when?: string) => nullable(Type.String(), description, when);

/** The signed payload: decimals are texts, so that its hash is the same in every language. */
const Payload = Type.Object(
  {
    v: Type.Literal(2, { description: "Version of the payload's form; 1 had no roots but outcomes_root." }),
    kind: Type.Literal("theses", { description: "What is signed." }),
    node_id: text("The node that signs."),
    key_id: text("Which of its keys."),
    model_id: text("What made the theses."),
    generated_at: text("When it was made."),
    chain_head: text("record_hash of the newest record."),
    chain_length: count("Records so far: three a thesis."),
    records_root: text("RFC 9162 root over record_hash of all records, in the order of the chain."),
    outcome_log_size: count("Outcomes stated so far."),
    outcome_log_root: text("RFC 9162 root over all of them, in the order they were stated."),
    outcomes_root: text("The same over the graded ones alone, in the order of the chain."),
    n_scored: count("Graded records."),
    n_open: count("Those whose horizon has not ended."),
    n_unscorable: count("Those without a direction, or without prices."),
    wins: count("Graded ones with a result above 0 after costs."),
    sum_net_bps: Type.String({ description: "Sum of results, basis points." }),
    hit_rate: decimal("Share of hits, 4 decimals", "before the first"),
    band_1sigma_coverage: decimal("Share of exits within one standard deviation, 4 decimals", "before the first"),
  },
  closed,
);

const Band = Type.Object(
  {
    horizon_d: Type.Integer({ description: "Days.", minimum: 1 }),
    z_pct: Type.Number({ description: "One standard deviation at the horizon, percent.", minimum: 0, decimals: 4 }),
    minus2: price("Two down"),
    minus1: price("One down"),
    plus1: price("One up"),
    plus2: price("Two up"),
  },
  closed,
);

const Evidence = Type.Object(
  {
    record: Type.Object(ThesisRecord.properties, { ...closed, description: "As it was written." }),
    record_hash: text("SHA-256 of the record's canonical text."),
    outcome: Type.Object(ThesisOutcome.properties, { ...closed, description: "How it came out." }),
    outcome_hash: text("SHA-256 of the outcome's canonical text."),
    outcome_seq: Type.Integer({ minimum: 1, description: "Its place in the log of outcomes." }),
  },
  closed,
);

export const RECORDS = { max: 200, default: 10 } as const;

export const ThesisParams = Type.Object(
  {
    records: Type.Optional(
      Type.Integer({
        description: "Most graded records in `records`, the newest; the figures are of all of them.",
        minimum: 0,
        maximum: RECORDS.max,
        default: RECORDS.default,
      }),
    ),
  },
  closed,
);

export const ThesisSchema = Type.Object(
  {
    thesis_id: text("Day and coin."),
    emitted_at: text("When it was written, before anybody saw it."),
    asset: text("Coin."),
    direction: oneOf(["long", "short", "none"] as const, "none: no edge, said so."),
    strength: Type.Integer({ description: "0-100, the confidence of the signal behind it.", minimum: 0, maximum: 100 }),
    entry_price_usd: price("Newest daily close when it was written"),
    sigma_pct: Type.Number({ description: "Volatility of 30 days, percent a year.", minimum: 0, decimals: 4 }),
    bands: Type.Array(Band, { description: "S exp(k z), lognormal, without drift.", minItems: 3, maxItems: 3 }),
    invalidation: nullable(
      Type.Object({ price: price("A daily close beyond it"), rule: text("What ends the thesis.") }, closed),
      "",
      "without a direction",
    ),
    evidence: Type.Array(
      Type.Object(
        {
          factor: text("Factor of the signal model."),
          value: nullable(Type.Number({ digits: 6 }), "-1 to 1; null when its input was missing."),
          contribution: number("Points of alpha it added."),
          supports: Type.Boolean({ description: "Whether it points the thesis's way." }),
        },
        closed,
      ),
      { description: "Every factor that counted.", maxItems: 30 },
    ),
    base_rate: nullable(
      Type.Object(
        {
          n: count("Graded signals of the same class of confidence."),
          hit_rate: share("Share of hits."),
          wilson_low: share("Wilson 95 %, low."),
          wilson_high: share("High."),
        },
        closed,
      ),
      "How signals as sure as this did on this node; null with fewer than 20.",
    ),
    catalysts: nullable(
      Type.Array(
        Type.Object({ title: text("What."), country: text("Country or area."), time_utc: text("When.") }, closed),
        { maxItems: 6 },
      ),
      "High events of the 14 days after it; null when the calendar was missing.",
    ),
    record_hash: text("SHA-256 of the thesis's first record."),
    payload: Type.Object(Payload.properties, { ...closed, description: "The record in figures, as it is signed." }),
    payload_canonical: text("The payload as it is signed (RFC 8785)."),
    signature: text('Ed25519 signature of "intel-node:theses:v1\\n" and payload_canonical, base64url.'),
    key_id: text("Name of the key."),
    records: nullable(Type.Array(Evidence, { maxItems: RECORDS.max }), "The newest graded ones; withheld in previews."),
    proof: nullable(
      Type.Object(
        {
          records: Type.Array(Type.String(), { description: "For records_root." }),
          outcomes: Type.Array(Type.String(), { description: "For outcome_log_root." }),
        },
        closed,
      ),
      "Hashes that lead from `records` to the signed roots (docs/proof.md)",
      "without records",
    ),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type ThesisData = Static<typeof ThesisSchema>;
