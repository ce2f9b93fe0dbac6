import type { SurfaceModel } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { fillPlaces, renderAge, renderMoment } from "../parts.ts";
import { text } from "../schema-table.ts";
import { inLanguage, type Phrase, type Words } from "../words.ts";
import {
  type GradedSignal,
  type HitRate,
  rateBy,
  rateHits,
  type SignalEvidence,
  type TrackStatement,
} from "./evidence.ts";
import { renderCalibration, renderHistogram } from "./pictures.ts";

/** The data of the track record's page. */
export interface TrackFacts {
  /** Null until a signal has been graded and the statement is old enough to be free. */
  readonly statement: TrackStatement | null;
  readonly as_of_ms: number;
  readonly age_s: number;
  readonly evidence: readonly SignalEvidence[];
  readonly graded: readonly GradedSignal[];
  /** Number of closes without a record; null if that cannot be known. */
  readonly missed: number | null;
  /** Chart of the equity. */
  readonly equity: Html | "";
}

export interface TrackPageOptions {
  readonly model: SurfaceModel;
  readonly facts: TrackFacts;
  readonly words: Words;
}

const LEAD: readonly Phrase[] = [
  "Every signal is written to an append-only chain before anybody sees it.",
  "Graded by a fixed rule against public prices: nothing can be left out afterwards.",
];
const CHECKED: readonly Phrase[] = [
  "In this browser: the signature, every record's hash, every link of the chain,",
  "every result from its prices, the sums and the Merkle root.",
  "Nothing leaves this page but the request for the records.",
];
const CALIBRATED = "Hits by stated confidence, with their intervals; the dashed line is what a coin does.";
const SPREAD = "Signals by their result in percent; the outermost bars hold all beyond.";
const NONE_YET = "No signal has been graded and published yet.";

const PATH = "/track-record";
const RECORDS_SHOWN = 25;
const OPEN_SHOWN = 12;
const SMALL_SAMPLE = 100;

/** `/track-record`: the real results of the node's signals, with everything needed to check them. */
export function renderTrackPage({ model, facts, words }: TrackPageOptions): string {
  const { say } = words;
  const title = say("Track record");
  const description = say("How this node's signals did, net of costs, and everything to check it.");
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${LEAD.map((one) => say(one)).join(" ")}</p>
${facts.statement ? renderSummary(facts, words) : ""}</div>
${facts.statement ? renderWhole(facts, words) : html`<p class="soft">${say(NONE_YET)}</p>`}`;
  return renderPage({ model, title, description, path: PATH, body, words, script: "verify" });
}

const percent = (share: number, words: Words): string => words.percent(share * 100, 1);

function renderSummary({ graded, as_of_ms, age_s, missed, evidence }: TrackFacts, words: Words): Html {
  const { say, number } = words;
  const all = rateHits("all", graded);
  const long = graded.filter((one) => one.long_net_bps > 0).length;
  const open = evidence.filter(({ outcome }) => outcome === null).length;
  const interval = say("hit rate, {0} to {1} at 95 %", percent(all.low, words), percent(all.high, words));
  const shown: readonly (readonly [name: string, value: string])[] = [
    [interval, percent(all.rate, words)],
    [say("mean result, net"), `${number(all.mean_net_bps, { maximumFractionDigits: 1 })} bps`],
    [say("graded"), number(all.n)],
    [say("open"), number(open)],
    [say("hits, had it always been long"), percent(long / graded.length, words)],
    [say("missed evaluations"), missed === null ? "–" : number(missed)],
  ];
  const of = fillPlaces(say("As of {0}."), renderMoment(as_of_ms, words));
  const age = renderAge(age_s, `${say("{0} old")}.`);
  return html`<dl class="facts num">${shown.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>
<p class="small soft">${of} ${judgeSample(all, words)} ${age}</p>`;
}

/** The conclusions that a sample of this size allows. */
function judgeSample({ n, low, high }: HitRate, { say }: Words): string {
  if (n < SMALL_SAMPLE) return say("A small sample: with so few signals luck alone explains most of this.");
  if (low <= 0.5 && high >= 0.5) return say("The interval holds 50 %: this is not told apart from a coin.");
  return high < 0.5
    ? say("The interval lies below 50 %: these signals did worse than a coin.")
    : say("The interval lies above 50 %. Signals overlap in time, so it is narrower than the truth.");
}

function renderWhole(facts: TrackFacts, words: Words): Html {
  const { graded } = facts;
  const { say } = words;
  return html`<section aria-labelledby="equity"><h2 id="equity">${say("Equity")}</h2>${facts.equity}</section>
<div class="pair"><section aria-labelledby="calibration"><h2 id="calibration">${say("Calibration")}</h2>
${renderCalibration(rateBy(graded, bucketOf), words)}
<p class="soft small">${say(CALIBRATED)}</p>
</section>
<section aria-labelledby="returns"><h2 id="returns">${say("Results, net of costs")}</h2>
${renderHistogram(graded, words)}
<p class="soft small">${say(SPREAD)}</p></section></div>
<div class="pair">${renderRates(
    say("By symbol"),
    rateBy(graded, ({ symbol }) => symbol),
    words,
  )}
<div>${renderRates(
    say("By horizon"),
    rateBy(graded, ({ horizon_h }) => `${String(horizon_h).padStart(3, " ")} h`),
    words,
  )}
${renderRates(
  say("By side"),
  rateBy(graded, ({ side }) => side),
  words,
)}</div></div>
${renderCheck(facts, words)}${renderOpen(facts, words)}${renderRecords(facts, words)}`;
}

/** "40-59": confidence in steps of 20. */
const bucketOf = ({ confidence }: GradedSignal): string => {
  const low = Math.min(80, Math.floor(confidence / 20) * 20);
  return `${low}-${low === 80 ? 100 : low + 19}`;
};

const renderRates = (title: string, rates: readonly HitRate[], words: Words): Html => {
  const { say, number } = words;
  return html`<section><h2>${title}</h2><div class="scroll" tabindex="0" role="group" aria-label="${title}"><table
class="num"><thead><tr><th scope="col"></th><th scope="col">n</th><th scope="col">${say("hit rate")}</th><th
scope="col">95 %</th><th scope="col">${say("net, bps")}</th></tr></thead><tbody>${rates.map(
    (one) => html`<tr><th scope="row">${one.key}</th><td>${number(one.n)}</td><td>${percent(one.rate, words)}</td><td
class="soft">${percent(one.low, words)} – ${percent(one.high, words)}</td><td>${number(one.mean_net_bps, {
      maximumFractionDigits: 1,
    })}</td></tr>`,
  )}</tbody></table></div></section>`;
};

function renderCheck({ statement }: TrackFacts, words: Words): Html {
  const { say } = words;
  const payload = statement?.payload ?? {};
  return html`<section aria-labelledby="check"><h2 id="check">${say("Check it yourself")}</h2>
<p class="soft">${CHECKED.map((one) => say(one)).join(" ")}</p>
<p><button class="act" data-verify-track hidden>${say("Check signature, chain and root")}</button></p>
<div role="status"><ul class="steps" data-steps lang="en"></ul></div>
<p class="small">${say("Or by command, against a copy you keep:")}</p>
<pre tabindex="0"><code>intel-node verify-track-record https://…</code></pre>
<p class="small soft">${say("Head of the chain")}: <code>${text(payload.chain_head)}</code><br>
${say("Merkle root of the outcomes")}: <code>${text(payload.outcomes_root)}</code><br>
<a href="${PATH}/evidence">${say("All records as JSON")}</a> ·
<a href="/.well-known/did.json">${say("The node's keys")}</a></p></section>`;
}

function renderOpen({ evidence }: TrackFacts, words: Words): Html {
  const { say } = words;
  const open = evidence.filter(({ outcome }) => outcome === null).toReversed();
  const more = open.length - OPEN_SHOWN;
  return html`<section aria-labelledby="open"><h2 id="open">${say("Open signals, delayed")}</h2>
${open.length === 0 ? html`<p class="soft">${say("none")}</p>` : ""}
<ul class="cards">${open.slice(0, OPEN_SHOWN).map(
    ({ seq, record }) => html`<li><strong>${text(record.symbol)} ${text(record.side)}</strong>
<span class="soft small">#${seq} · ${String(record.horizon_h)} h<br>
${renderMoment(Date.parse(text(record.emitted_at)), words)}</span></li>`,
  )}</ul>${more > 0 ? html`<p class="soft small">${say("and {0} more", more)}</p>` : ""}</section>`;
}

function renderRecords({ evidence }: TrackFacts, words: Words): Html {
  const { say, number } = words;
  const newest = evidence
    .filter(({ outcome }) => outcome !== null)
    .slice(-RECORDS_SHOWN)
    .reverse();
  const short = (hash: unknown): Html => html`<code title="${text(hash)}">${text(hash).slice(0, 10)}…</code>`;
  return html`<section aria-labelledby="records"><h2 id="records">${say("Newest graded records")}</h2>
<div class="scroll low" tabindex="0" role="group" aria-label="${say("Newest graded records")}">
<table class="num"><thead><tr><th scope="col">#</th><th scope="col">${say("signal")}</th>
<th scope="col">${say("exit")}</th>
<th scope="col">${say(
    "net, bps",
  )}</th><th scope="col">${say("record")}</th><th scope="col">${say("links to")}</th></tr></thead><tbody>${newest.map(
    ({ seq, record, record_hash, outcome }) =>
      html`<tr><td>${seq}</td><td>${text(record.symbol)} ${text(
        record.side,
      )}</td><td>${outcome === null ? "" : renderMoment(Date.parse(text(outcome.exit_at)), words)}</td><td>${
        outcome?.net_bps === undefined ? inLanguage(text(outcome?.status), words) : number(Number(outcome.net_bps))
      }</td><td>${short(record_hash)}</td><td>${short(record.prev_hash)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
