import type {
  AlertsAnswer,
  AttentionAnswer,
  BackupsAnswer,
  ConfigAnswer,
  JobAnswer,
  LogsAnswer,
} from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { facts, form, mark, renderField, showAge, showBytes, showTime, table } from "./parts.ts";

export const renderJobs = ({ items }: { readonly items: readonly JobAnswer[] }, csrf: string): Html =>
  table(
    "Jobs",
    ["Job", "Now", "Last good run", "Took", "Runs", "Failures", "Next", "Last error"],
    items.map((job) => [
      mark(job.last_error === null, job.id),
      form({
        ...{ op: "run_job", button: "Run", csrf, back: "/admin/jobs", hidden: { job: job.id } },
        about: `Run ${job.id} now`,
      }),
      showTime(job.last_ok_at),
      job.last_duration_s === null ? "-" : `${job.last_duration_s.toFixed(2)} s`,
      job.runs,
      job.failures,
      showTime(job.next_run),
      job.last_error ?? "-",
    ]),
  );

export const renderAttention = (at: AttentionAnswer): Html => html`<h2>Outcome unknown (${at.unknown_total})</h2>
<p class="soft">They are looked up on the chain until it is known; nothing is to be done unless they stay.</p>${table(
  "Outcome unknown",
  ["Since", "Product", "USD", "Network", "Facilitator", "Payment", "Why"],
  at.unknown.map((one) => [
    ...[showTime(one.created_at), one.product, one.amount_usd, one.network, one.facilitator ?? "-"],
    html`<a href="/payments/${one.payment_id}"><code>${one.payment_id}</code></a>`,
    one.reason ?? "-",
  ]),
)}<h2>Never landed (${at.never_landed.length})</h2><p class="soft">A facilitator said that these were settled, and the
chain does not have them: look the transaction up, and put another facilitator first.</p>${table(
  "Never landed",
  ["Receipt", "Network", "Facilitator", "Transaction", "Atomic"],
  at.never_landed.map((one) => [
    html`<a href="/receipts/${one.receipt_id}">${one.receipt_id}</a>`,
    ...[one.network, one.facilitator, html`<code>${one.chain_transaction}</code>`, one.amount_atomic],
  ]),
)}<h2>Facilitators' word</h2>${table(
  "Facilitators' word",
  ["Facilitator", "Network", "Settled", "Missing", "Doubted", "Waits for the chain"],
  at.landings.map((one) => [
    ...[one.facilitator, one.network, one.settled, one.missing, one.doubted, one.waits_for_chain ? "yes" : "no"],
  ]),
)}`;

export const renderAlerts = ({ open, undelivered, recent }: AlertsAnswer): Html =>
  html`<h2>Now</h2>${table(
    "Now",
    ["Since", "Severity", "What", "More"],
    open.map((one) => [showTime(one.since), one.severity, mark(false, one.title), one.text]),
  )}<h2>Told last</h2>${undelivered > 0 ? html`<p>${undelivered} messages are still to be delivered.</p>` : ""}${table(
    "Told last",
    ["Time", "Event", "Kind", "What", "More"],
    recent.map((one) => [showTime(one.at), one.event, one.kind, one.title, one.text]),
  )}`;

export const renderAlertForms = (csrf: string): Html =>
  form({ op: "test_alerts", button: "Send a test message", csrf, back: "/admin/alerts" });

export function renderBackups({ dir, every, keep, items, job }: BackupsAnswer, csrf: string): Html {
  if (dir === null) {
    return html`<p>No backups are made: set <code>[backup] dir</code>, best on another disk,
and start the node again.</p>`;
  }
  return html`${facts([
    ["Folder", html`<code>${dir}</code>`],
    ["Every", every],
    ["Kept", keep],
    ["Newest", items[0] === undefined ? "none" : `${showAge(items[0].age_s)} ago`],
    ["Last failure", job?.last_error ?? "none"],
  ])}${form({ op: "make_backup", button: "Make one now", csrf, back: "/admin/backups" })}${table(
    "Backups",
    ["Made", "File", "Size", "Read back and audited"],
    items.map((one) => [
      showTime(one.at),
      html`<code>${one.name}</code>`,
      showBytes(one.bytes),
      one.proved ? "yes" : "no",
    ]),
  )}`;
}

export const renderConfig = (
  { items }: ConfigAnswer,
  csrf: string,
): Html => html`<p>What is in force now. After a change
of the file:</p>${form({ op: "reload", button: "Reload", csrf, back: "/admin/config" })}${table(
  "Configuration",
  ["Key", "Value", "From"],
  items.map(({ key, value, origin }) => [html`<code>${key}</code>`, html`<code>${value}</code>`, origin]),
)}`;

export const renderLogFilter = ({
  least = "info",
  event = "",
}: {
  readonly least?: string;
  readonly event?: string;
}): Html =>
  html`<form class="op" method="get" action="/admin/logs">${[
    { name: "least", label: "At least", value: least, options: ["info", "warn", "error"] },
    { name: "event", label: "Event", value: event, hint: "sale" },
  ].map(renderField)}<button>Show</button></form>`;

export const renderLogs = ({ items }: LogsAnswer): Html =>
  table(
    "Log",
    ["Time", "Level", "Event", "More"],
    items.map(({ time, level, event, ...rest }) => [
      showTime(String(time ?? "")),
      String(level ?? ""),
      String(event ?? ""),
      html`<code>${JSON.stringify(rest)}</code>`,
    ]),
  );
