import { isJson } from "../pages/json.ts";
import { text } from "../pages/schema-table.ts";
import { computeEquity, type SignalEvidence, type TrackStatement, toGraded } from "../pages/track/evidence.ts";
import type { TrackFacts } from "../pages/track/page.ts";
import type { Phrase, Words } from "../pages/words.ts";
import { readHistoryTrees } from "../records/history-trees.ts";
import type { StoredRecord } from "../records/record-chain.ts";
import type { Core } from "./parts.ts";

/** The product whose free, delayed answer is the signed statement of the record, and the chain it is over. */
const PRODUCT_ID = "win-rate-verified";
const CHAIN = "signals";
const READ_MAX = 1_000;
const DAY_MS = 86_400_000;

const NOTHING: TrackFacts = {
  statement: null,
  as_of_ms: 0,
  age_s: 0,
  evidence: [],
  graded: [],
  missed: null,
  equity: "",
};

/**
 * Everything the page of the track record shows. Records are public as far as the statement goes that is free already:
 * what is newer is sold, and nobody sees it here.
 */
export async function readTrack({ catalog, previews, records, past }: Core, words: Words): Promise<TrackFacts> {
  const product = catalog.products.find(({ id }) => id === PRODUCT_ID);
  if (product) await past.waitFor(product);
  const found = product ? previews.find(product, product.previewRequests()[0]) : null;
  const statement = found ? readStatement(found.data) : null;
  if (!found || !statement) return NOTHING;
  const length = Number(statement.payload.chain_length);
  const { placeOf } = await readHistoryTrees(records, CHAIN);
  const isKnown = knownBy(statement, placeOf);
  const evidence: SignalEvidence[] = [];
  while (evidence.length < length) {
    const limit = Math.min(READ_MAX, length - evidence.length);
    const part = await records.read(CHAIN, { after_seq: evidence.at(-1)?.seq ?? 0, limit });
    if (part.length === 0) break;
    for (const row of part) {
      const { seq, record, record_hash } = row;
      const known = isKnown(row) ? row.outcome : null;
      const [outcome, outcome_hash] = [known?.outcome ?? null, known?.outcome_hash ?? null];
      const outcome_seq = outcome === null ? null : (placeOf(seq) ?? null);
      evidence.push({ seq, record, record_hash, outcome, outcome_hash, outcome_seq });
    }
  }
  const graded = evidence.flatMap((one) => toGraded(one) ?? []);
  const missed = isJson(found.data) ? found.data.missed_evaluations : null;
  return {
    statement,
    as_of_ms: Date.parse(found.as_of),
    age_s: found.age_seconds ?? 0,
    evidence,
    graded,
    missed: typeof missed === "number" ? missed : null,
    equity: graded.length === 0 ? "" : await drawEquity(graded, words),
  };
}

/** Whether a statement knew of an outcome: by its place in the log, or by its time where no log was signed yet. */
function knownBy({ payload }: TrackStatement, placeOf: (seq: number) => number | undefined) {
  const { outcome_log_size } = payload;
  // To the second, as the statement's own time is.
  const until_ms = Date.parse(text(payload.generated_at)) + 1_000;
  return ({ seq, outcome }: StoredRecord): boolean => {
    if (outcome === null) return false;
    if (typeof outcome_log_size !== "number") return outcome.scored_at_ms < until_ms;
    return (placeOf(seq) ?? Number.POSITIVE_INFINITY) <= outcome_log_size;
  };
}

function readStatement(data: unknown): TrackStatement | null {
  if (!isJson(data) || !isJson(data.payload)) return null;
  const { payload } = data;
  return {
    payload,
    payload_canonical: text(data.payload_canonical),
    signature: text(data.signature),
    key_id: text(data.key_id),
  };
}

async function drawEquity(graded: TrackFacts["graded"], words: Words) {
  const { renderChart } = await import("../pages/charts/figures.ts");
  const points = computeEquity(graded);
  const line = (name: Phrase, read: (point: (typeof points)[number]) => number) => ({
    name: words.say(name),
    points: points.map((point): [number, number] => [point.day_ms, read(point)]),
  });
  return renderChart(
    {
      kind: "time",
      title: words.say("Equity, net of costs"),
      about: [
        words.say("Split evenly over the signals that end on a day, compounded."),
        words.say("Nobody's order was filled at these prices."),
      ].join(" "),
      unit: "percent",
      step_ms: DAY_MS,
      lines: [
        line("signals", ({ signals_pct }) => signals_pct),
        line("always long", ({ long_pct }) => long_pct),
        line("cash", () => 0),
      ],
    },
    "equity",
    words,
  );
}
