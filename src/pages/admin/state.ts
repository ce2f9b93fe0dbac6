import type {
  AlertsAnswer,
  AttentionAnswer,
  BackupsAnswer,
  ConfigAnswer,
  JobAnswer,
  LogsAnswer,
} from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { type ListView, longTable } from "./list.ts";
import { facts, form, mark, renderField, showAge, showBytes, showTime, table } from "./parts.ts";

/** The choices of jobs to show. */
export const JOBS_SHOWN = ["failing"] as const;

export const renderJobs = ({ items }: { readonly items: readonly JobAnswer[] }, csrf: string, view: ListView): Html =>
  longTable(
    {
      name: "Jobs",
      head: ["Job", "Now", "Last good run", "Took", "Runs", "Failures", "Next", "Last error"],
      rows: items
        .filter(({ last_error }) => view.asked.show !== "failing" || last_error !== null)
        .map((job) => [
          mark(job.last_error === null, job.id),
          form({
            op: "run_job",
            button: "Run",
            csrf,
            back: "/admin/jobs",
            hidden: { job: job.id },
            about: `Run ${job.id} now`,
          }),
          showTime(job.last_ok_at),
          job.last_duration_s === null ? "-" : `${job.last_duration_s.toFixed(2)} s`,
          job.runs,
          job.failures,
          showTime(job.next_run),
          job.last_error ?? "-",
        ]),
    },
    view,
  );

export const renderAttention = (
  at: AttentionAnswer,
  view: ListView,
): Html => html`<h2>Outcome unknown (${at.unknown_total})</h2>
<p class="soft">They are looked up on the chain until it is known. Only what stays is yours to see to.</p>${longTable(
  {
    name: "Outcome unknown",
    head: ["Since", "Product", "USD", "Network", "Facilitator", "Payment", "Why"],
    rows: at.unknown.map((one) => [
      ...[showTime(one.created_at), one.product, one.amount_usd, one.network, one.facilitator ?? "-"],
      html`<a href="/payments/${one.payment_id}"><code>${one.payment_id}</code></a>`,
      one.reason ?? "-",
    ]),
  },
  view,
)}<h2>Never landed (${at.never_landed.length})</h2><p class="soft">A facilitator said that these were settled, and the
chain does not have them: look the transaction up, and put another facilitator first.</p>${longTable(
  {
    name: "Never landed",
    head: ["Receipt", "Network", "Facilitator", "Transaction", "Atomic"],
    rows: at.never_landed.map((one) => [
      html`<a href="/receipts/${one.receipt_id}">${one.receipt_id}</a>`,
      ...[one.network, one.facilitator, html`<code>${one.chain_transaction}</code>`, one.amount_atomic],
    ]),
    param: "missing_page",
  },
  view,
)}<h2>Facilitators' word</h2>${table(
  "Facilitators' word",
  ["Facilitator", "Network", "Settled", "Missing", "Doubted", "Waits for the chain"],
  at.landings.map((one) => [
    ...[one.facilitator, one.network, one.settled, one.missing, one.doubted, one.waits_for_chain ? "yes" : "no"],
  ]),
)}`;

/** The choices of alerts to show. */
export const ALERTS_SHOWN = ["critical"] as const;

export function renderAlerts({ open, undelivered, recent }: AlertsAnswer, view: ListView): Html {
  const isShown = ({ severity }: { readonly severity: string }) =>
    view.asked.show !== "critical" || severity === "critical";
  const now = {
    name: "Now",
    head: ["Since", "Severity", "What", "More"],
    rows: open.filter(isShown).map((one) => [showTime(one.since), one.severity, mark(false, one.title), one.text]),
  };
  const told = {
    name: "Told last",
    head: ["Time", "Event", "Kind", "What", "More"],
    rows: recent.filter(isShown).map((one) => [showTime(one.at), one.event, one.kind, one.title, one.text]),
    param: "told_page",
  };
  return html`<h2>Now</h2>${longTable(now, view)}<h2>Told last</h2>${
    undelivered > 0 ? html`<p>${undelivered} messages are still to be delivered.</p>` : ""
  }${longTable(told, view)}`;
}

export const renderAlertForms = (csrf: string): Html =>
  form({ op: "test_alerts", button: "Send a test message", csrf, back: "/admin/alerts" });

const renderCopy = (copy: BackupsAnswer["copy"]): Html =>
  copy === null
    ? html`<p>No continuous copy is made: <code>[copy] to</code> names a folder or an S3 store.</p>`
    : html`<h2>Continuous copy</h2>${facts([
        ["To", html`<code>${copy.to}</code>`],
        ["Behind", copy.behind_s === 0 ? "nothing" : showAge(copy.behind_s)],
        ["Newest state in it", copy.copied_at === null ? "none" : showTime(copy.copied_at)],
        ["Last whole image", copy.image_at === null ? "none" : showTime(copy.image_at)],
        ["Fails now", copy.failing ?? "no"],
      ])}`;

export const renderBackups = (backups: BackupsAnswer, csrf: string, view: ListView): Html =>
  html`${renderBackupFiles(backups, csrf, view)}${renderCopy(backups.copy)}`;

function renderBackupFiles({ dir, every, keep, items, job }: BackupsAnswer, csrf: string, view: ListView): Html {
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
  ])}${form({ op: "make_backup", button: "Make one now", csrf, back: "/admin/backups" })}${longTable(
    {
      name: "Backups",
      head: ["Made", "File", "Size", "Read back and audited"],
      rows: items.map((one) => [
        showTime(one.at),
        html`<code>${one.name}</code>`,
        showBytes(one.bytes),
        one.proved ? "yes" : "no",
      ]),
    },
    view,
  )}`;
}

/** The choices of configuration keys to show. */
export const CONFIG_SHOWN = ["set by you"] as const;

export const renderConfig = (
  { items }: ConfigAnswer,
  csrf: string,
  view: ListView,
): Html => html`<p>What is in force now. After a change
of the file:</p>${form({ op: "reload", button: "Reload", csrf, back: "/admin/config" })}${longTable(
  {
    name: "Configuration",
    head: ["Key", "Value", "From"],
    rows: items
      .filter(({ origin }) => view.asked.show !== "set by you" || origin !== "default")
      .map(({ key, value, origin }) => [html`<code>${key}</code>`, html`<code>${value}</code>`, origin]),
  },
  view,
)}`;

export const renderLogFilter = ({
  least = "info",
  event = "",
  q = "",
}: {
  readonly least?: string;
  readonly event?: string;
  readonly q?: string;
}): Html =>
  html`<form class="op" method="get" action="/admin/logs">${[
    { name: "least", label: "At least", value: least, options: ["info", "warn", "error"] },
    { name: "event", label: "Event", value: event, hint: "sale" },
    { name: "q", label: "Search", value: q },
  ].map(renderField)}<button>Show</button></form>`;

export const renderLogs = ({ items }: LogsAnswer, view: ListView): Html =>
  longTable(
    {
      name: "Log",
      head: ["Time", "Level", "Event", "More"],
      rows: items.map(({ time, level, event, ...rest }) => [
        showTime(String(time ?? "")),
        String(level ?? ""),
        String(event ?? ""),
        html`<code>${JSON.stringify(rest)}</code>`,
      ]),
    },
    view,
  );
