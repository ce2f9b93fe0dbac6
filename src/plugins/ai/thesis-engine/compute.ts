import { type Computed, type Draft, missing } from "intel-node";
import { describeDoubt } from "intel-node/quant/graded-record";
import type { ThesisInputs } from "./fetch.ts";
import { supports } from "./prose.ts";
import type { ThesisData } from "./schema.ts";

const RULE = "a daily close past it against the direction, or a turn of the market regime";

/** What the theses' own record says against one that names a direction. */
function warnOfRecord(side: string, { n_scored: n, wins, sum_net_bps }: ThesisInputs["payload"]): readonly string[] {
  const mean_net_bps = n === 0 ? null : Number(sum_net_bps) / n;
  const told = side === "none" ? null : describeDoubt("records of this model", { n, wins, mean_net_bps });
  return told === null ? [] : [`direction: ${told}`];
}

/** The newest thesis with its record. Pure. */
export function computeThesis({
  thesis,
  graded,
  proof,
  payload,
  payload_canonical,
  signature,
  writing,
}: ThesisInputs): Computed<Draft<ThesisData>> {
  const [first] = thesis;
  if (!first) throw new RangeError("a thesis has records");
  const { record, basis, record_hash } = first;
  const { invalidation_price } = record;
  const rate = basis.base_rate;
  return {
    as_of_ms: Date.parse(record.emitted_at),
    warnings: [
      ...(payload.hit_rate === null ? ["payload.hit_rate, payload.band_1sigma_coverage: none is graded yet"] : []),
      ...warnOfRecord(record.side, payload),
      ...writing.warnings,
    ],
    data: {
      thesis_id: record.thesis_id,
      emitted_at: record.emitted_at,
      asset: record.symbol,
      direction: record.side,
      strength: record.strength,
      entry_price_usd: Number(record.ref_price),
      sigma_pct: Number(record.sigma_pct),
      bands: thesis.map(({ record: one }) => {
        const horizon_d = one.horizon_h / 24;
        const { minus2, minus1, plus1, plus2 } = one;
        return {
          horizon_d,
          z_pct: Number(one.sigma_pct) * Math.sqrt(horizon_d / 365),
          minus2: Number(minus2),
          minus1: Number(minus1),
          plus1: Number(plus1),
          plus2: Number(plus2),
        };
      }),
      invalidation:
        invalidation_price === null
          ? missing("the thesis names no direction")
          : { price: Number(invalidation_price), rule: RULE },
      evidence: basis.factors.map(({ name, value, contribution }) => ({
        factor: name,
        value: value === null ? null : Number(value),
        contribution: Number(contribution),
        supports: supports(record.side, Number(contribution)),
      })),
      base_rate: rate
        ? {
            n: rate.n,
            hit_rate: Number(rate.hit_rate),
            wilson_low: Number(rate.low),
            wilson_high: Number(rate.high),
          }
        : missing("fewer than 20 graded signals of this class"),
      catalysts: basis.catalysts ? [...basis.catalysts] : missing("the calendar was missing"),
      record_hash,
      payload,
      payload_canonical,
      signature,
      key_id: payload.key_id,
      records: graded.flatMap(({ record, record_hash, outcome, outcome_hash, outcome_seq }) =>
        outcome === null || outcome_hash === null ? [] : [{ record, record_hash, outcome, outcome_hash, outcome_seq }],
      ),
      proof: proof === null ? null : { records: [...proof.records], outcomes: [...proof.outcomes] },
      ...writing.written,
    },
  };
}
