import { monitorEventLoopDelay } from "node:perf_hooks";
import { thread_turns } from "../core/thread-turns.ts";
import type { JobStatus } from "../jobs/scheduler.ts";
import { secondsBehind } from "../ledger/copy/copy-state.ts";
import { listFigures } from "../ledger/money.ts";
import type { PaymentAccess } from "../payments/gate/payment-access.ts";
import type { InputsStatus } from "../stores/inputs-store.ts";
import type { MetricFamily, MetricSample } from "../telemetry/metrics.ts";
import { DURATION_BUCKETS_S, ROUTES, type Totals } from "../telemetry/stats.ts";
import type { OperatedCore, OperatedParts } from "./operated-node.ts";

export interface MetricParts {
  readonly core: Pick<
    OperatedCore,
    | "catalog"
    | "clock"
    | "inputs"
    | "last_success"
    | "ledger"
    | "previews"
    | "stand_ins"
    | "started_at_ms"
    | "stats"
    | "stores"
    | "upstream"
    | "workshop"
  >;
  readonly money: Pick<OperatedParts["money"], "pool">;
  readonly gate: {
    readonly prepaid: Pick<OperatedParts["gate"]["prepaid"], "slots" | "work">;
    readonly payment: Pick<PaymentAccess, "flights">;
  };
  readonly listener: { readonly http_calls: { readonly active: number } };
  readonly states: Pick<OperatedParts["states"], "read">;
  readonly jobs: () => readonly JobStatus[];
  readonly version: string;
}

const STATES = ["ok", "degraded", "failing"] as const;
const USDC_UNITS = 1e6;
const LAG_RESOLUTION_MS = 20;

const counter = (name: string, help: string, read: MetricFamily["read"]): MetricFamily => ({
  name,
  help,
  type: "counter",
  read,
});
const gauge = (name: string, help: string, read: MetricFamily["read"]): MetricFamily => ({
  name,
  help,
  type: "gauge",
  read,
});
const one = (value: number): readonly MetricSample[] => [{ value }];
const flag = (value: boolean): number => (value ? 1 : 0);
const secondsOf = (iso: string | null | undefined): number => (iso ? Date.parse(iso) / 1000 : 0);

/** Everything /metrics tells, read off the parts when it is asked for. */
export const createMetricFamilies = (parts: MetricParts): readonly MetricFamily[] => [
  ...ofRequests(parts),
  ...ofSales(parts),
  ...ofWork(parts),
  ...ofWatches(parts),
  ...ofMoney(parts),
  ...ofUpstreams(parts),
  ...ofStandIns(parts),
  ...ofProducts(parts),
  ...ofInputs(parts),
  ...ofJobs(parts),
  ...ofNode(parts),
];

/** Bucket counts are cumulative; the last bucket has no upper bound. */
function renderDurations(totals: Totals): readonly MetricSample[] {
  return ROUTES.flatMap((route): readonly MetricSample[] => {
    const spent = totals.durations.get(route);
    if (!spent) return [];
    let sum = 0;
    const buckets = [...spent.counts].map((count, index): MetricSample => {
      sum += count;
      return { part: "bucket", labels: { route, le: String(DURATION_BUCKETS_S[index] ?? "+Inf") }, value: sum };
    });
    const labels = { route };
    return [...buckets, { part: "sum", labels, value: spent.sum_s }, { part: "count", labels, value: sum }];
  });
}

const ofRequests = ({ core: { stats }, listener }: MetricParts): readonly MetricFamily[] => [
  counter("http_requests", "Requests answered, by kind of route and class of status.", () =>
    ROUTES.flatMap((route) =>
      [...(stats.totals().requests.get(route) ?? [])].flatMap((value, digit) =>
        value > 0 ? [{ value, labels: { route, status: `${digit}xx` } }] : [],
      ),
    ),
  ),
  {
    name: "http_request_duration_seconds",
    help: "Time from a request to its answer, by kind of route.",
    type: "histogram",
    read: () => renderDurations(stats.totals()),
  },
  counter("http_requests_limited", "Requests refused because their sender asked too often.", () =>
    one(stats.totals().limited),
  ),
  gauge("http_requests_active", "Requests being answered now.", () => one(listener.http_calls.active)),
];

const ofSales = ({ core: { stats }, gate }: MetricParts): readonly MetricFamily[] => {
  const products = () => [...stats.totals().products];
  return [
    counter("challenges", "Unpaid calls answered with a price (402), by product.", () =>
      products().map(([product, { challenges }]) => ({ value: challenges, labels: { product } })),
    ),
    counter("previews", "Free, delayed answers, by product.", () =>
      products().map(([product, { previews }]) => ({ value: previews, labels: { product } })),
    ),
    counter("paid_calls", "Paid calls that were answered, by product and what paid.", () =>
      products().flatMap(([product, { paid }]) =>
        [...paid].map(([access, value]) => ({ value, labels: { product, access } })),
      ),
    ),
    counter("uncharged_failures", "Paid calls whose run failed and cost nothing, by product and error code.", () =>
      products().flatMap(([product, { failed }]) =>
        [...failed].map(([code, value]) => ({ value, labels: { product, code } })),
      ),
    ),
    counter("refusals", "Calls turned away with what they brought to pay with, by product and error code.", () =>
      products().flatMap(([product, { refused }]) =>
        [...refused].map(([code, value]) => ({ value, labels: { product, code } })),
      ),
    ),
    counter("settle_outcomes", "Answers to settle calls, by network, facilitator and outcome.", () =>
      [...stats.totals().settles].map(([name, value]) => {
        const [network = "", facilitator = "", outcome = ""] = name.split(" ");
        return { value, labels: { network, facilitator, outcome } };
      }),
    ),
    gauge("produce_slots_busy", "Paid calls being produced now.", () => one(gate.prepaid.slots.busy)),
    gauge("produce_slots_waiting", "Paid calls that wait for a slot.", () => one(gate.prepaid.slots.waiting)),
    counter("unpaid_work_units", "Work that brought nothing to charge for: calls, more for slow and dear ones.", () =>
      one(gate.prepaid.work.totals().spent),
    ),
    gauge("unpaid_work_per_minute", "Units of unpaid work there may be a minute, by whose.", () =>
      Object.entries(gate.prepaid.work.totals().per_minute).map(([of, value]) => ({ value, labels: { of } })),
    ),
    counter("unpaid_work_refused", "Calls refused before any work, by whose unpaid work was spent.", () =>
      Object.entries(gate.prepaid.work.totals().refused).map(([of, value]) => ({ value, labels: { of } })),
    ),
    gauge("payments_in_flight", "Payments being worked on now.", () => one(gate.payment.flights.size)),
  ];
};

/** Who computes what calls ask for, and what is held back. */
const ofWork = ({ core: { workshop } }: MetricParts): readonly MetricFamily[] => [
  gauge("thread_turns_waiting", "Pieces of heavy work that wait for the serving thread.", () =>
    one(thread_turns.status().waiting),
  ),
  gauge("thread_held_longest_seconds", "Longest piece of heavy work since the start.", () =>
    one(thread_turns.status().longest_ms / 1000),
  ),
  counter("thread_turns_refused", "Pieces of heavy work refused because too many waited.", () =>
    one(thread_turns.status().refused),
  ),
  gauge("compute_threads", "Threads that compute heavy answers, those that wait for some among them.", () =>
    one(workshop.pool()?.threads ?? 0),
  ),
  gauge("compute_threads_busy", "Threads that compute an answer now.", () => one(workshop.pool()?.busy ?? 0)),
  gauge("compute_waiting", "Heavy answers that wait for a thread.", () => one(workshop.pool()?.waiting ?? 0)),
  counter("compute_refused", "Heavy answers refused because too many waited.", () =>
    one(workshop.pool()?.refused ?? 0),
  ),
  counter("compute_threads_lost", "Threads that ended in the midst of an answer: too slow, or by themselves.", () => [
    { value: workshop.pool()?.ended ?? 0, labels: { why: "slow" } },
    { value: workshop.pool()?.died ?? 0, labels: { why: "died" } },
  ]),
  gauge("brake_classes", "Classes of heavy work that are held back now, of three.", () =>
    one(workshop.brake()?.classes ?? 0),
  ),
  counter("brake_refused", "Productions refused because the serving thread was late.", () =>
    one(workshop.brake()?.refused ?? 0),
  ),
  gauge("thread_late_most_seconds", "The most the serving thread was late by its own work.", () =>
    one((workshop.brake()?.latest_ms ?? 0) / 1000),
  ),
];

/** What keys have the node look at. */
const ofWatches = ({ core: { stores } }: MetricParts): readonly MetricFamily[] => [
  gauge("watches", "Watches that have not ended, by state.", () => {
    const { active, paused } = stores.watches.totals();
    return [
      { value: active, labels: { state: "active" } },
      { value: paused, labels: { state: "paused" } },
    ];
  }),
  gauge("watch_events_told", "Events that the watches kept here told.", () => one(stores.watches.totals().told)),
  gauge("watch_webhooks", "Webhooks of watches, by whether their receiver takes what is sent.", () => {
    const { hooks, parked } = stores.watch_hooks.hookTotals();
    return [
      { value: hooks - parked, labels: { state: "open" } },
      { value: parked, labels: { state: "parked" } },
    ];
  }),
];

const ofMoney = ({ core: { ledger, clock }, money: { pool } }: MetricParts): readonly MetricFamily[] => {
  const totals = async () => Object.entries(await ledger.receipts.totals());
  return [
    counter("settled_payments", "Payments in the ledger that were settled, by label.", async () =>
      (await totals()).map(([label, { count }]) => ({ value: count, labels: { label } })),
    ),
    counter("settled_usd", "Their sum in USD, by label.", async () =>
      (await totals()).map(([label, { amount }]) => ({ value: Number(amount) / USDC_UNITS, labels: { label } })),
    ),
    gauge("money_usd", "What the shop made so far in USD, by figure: docs/operator/books.md.", async () =>
      listFigures(await ledger.money.toDate()).map(({ name, amount }) => ({
        value: Number(amount) / USDC_UNITS,
        labels: { figure: name },
      })),
    ),
    gauge("settlements_unknown", "Settlements nobody knows the outcome of yet.", async () =>
      one(await ledger.landings.countUnknown()),
    ),
    gauge(
      "ledger_copy_behind_seconds",
      "How much of the ledger its continuous copy lacks; absent without [copy].",
      () => (ledger.copied === null ? [] : one(secondsBehind(ledger.copied, clock.now()))),
    ),
    gauge("ledger_ok", "1 while the ledger takes writes.", () => one(flag(ledger.trouble === null))),
    gauge("facilitator_up", "1 while a facilitator answers.", () =>
      pool.status().map(({ id, ok }) => ({ value: flag(ok), labels: { facilitator: id } })),
    ),
    gauge("network_on_sale", "1 while a network can be paid on.", () => [
      ...pool.offers.map(({ network }) => ({ value: 1, labels: { network: network.id } })),
      ...pool.unavailable().map(({ network }) => ({ value: 0, labels: { network } })),
    ]),
  ];
};

/** What peers were paid for; no lines without stand-ins. */
const ofStandIns = ({ core: { stand_ins } }: MetricParts): readonly MetricFamily[] => {
  if (!stand_ins) return [];
  const { counts, channels } = stand_ins;
  return [
    ...(channels === null
      ? []
      : [
          gauge("peer_channels_left_usd", "What lies in channels with peers and is this node's own, USD.", () =>
            one(Number(channels.totals().left) / USDC_UNITS),
          ),
          gauge("peer_channels_stopped", "Channels with peers whose snapshot did not add up.", () =>
            one(channels.totals().stopped),
          ),
        ]),
    counter("stand_ins_bought", "Answers bought from peers, and sold.", () => one(counts().bought)),
    counter("stand_ins_spent_usd", "What peers were paid for them, USD.", () =>
      one(Number(counts().spent) / USDC_UNITS),
    ),
    counter("stand_ins_lost_usd", "What peers were paid for nothing that could be sold, USD.", () =>
      one(Number(counts().lost) / USDC_UNITS),
    ),
    counter("stand_ins_refused", "Peers that did not stand in, by why.", () =>
      [...counts().refused].map(([reason, value]) => ({ value, labels: { reason } })),
    ),
    gauge("stand_ins_spent_today_usd", "What of the day's sum for peers is spent, USD.", async () =>
      one(Number(await stand_ins.spentToday()) / USDC_UNITS),
    ),
  ];
};

const ofUpstreams = ({ core: { upstream, catalog } }: MetricParts): readonly MetricFamily[] => {
  const each = (read: (status: ReturnType<typeof upstream.status>[number]) => number) => () =>
    upstream.status().map((status) => ({ value: read(status), labels: { provider: status.provider } }));
  const quotas = (read: (left: { readonly spent: number; readonly limit: number }) => number) => () =>
    catalog.providers.flatMap((provider) =>
      upstream
        .quotas(provider)
        .map((quota) => ({ value: read(quota), labels: { provider: provider.id, period: quota.period } })),
    );
  return [
    counter(
      "provider_calls",
      "Calls sent to a provider, repetitions included.",
      each(({ calls }) => calls),
    ),
    counter(
      "provider_failures",
      "Calls to a provider that failed.",
      each(({ failures }) => failures),
    ),
    counter(
      "provider_rows_dropped",
      "Rows that were unreadable and left out of answers that stand.",
      each(({ rows_dropped }) => rows_dropped),
    ),
    counter(
      "provider_duration_seconds",
      "Time spent in calls to a provider.",
      each(({ duration_s }) => duration_s),
    ),
    gauge(
      "provider_up",
      "1 when the last call to a provider went well.",
      each(({ ok }) => flag(ok)),
    ),
    gauge(
      "provider_breaker_open",
      "1 while a provider is shut off.",
      each(({ breaker }) => flag(breaker === "open")),
    ),
    gauge(
      "provider_quota_spent",
      "What is spent of a provider's quota.",
      quotas(({ spent }) => spent),
    ),
    gauge(
      "provider_quota_limit",
      "A provider's quota.",
      quotas(({ limit }) => limit),
    ),
  ];
};

const ofProducts = ({ core, states }: MetricParts): readonly MetricFamily[] => {
  const { catalog, clock, last_success, previews } = core;
  const ageOf = (then_ms: number): number => Math.max(0, (clock.now() - then_ms) / 1000);
  return [
    gauge("products", "Products for sale.", () => one(catalog.products.length)),
    gauge("products_unavailable", "Products that cannot be produced now.", () => one(states.read().unavailable.length)),
    gauge("product_data_age_seconds", "Age of the data of a product's newest answer.", () =>
      [...last_success].map(([product, { as_of_ms }]) => ({ value: ageOf(as_of_ms), labels: { product } })),
    ),
    gauge("product_preview_age_seconds", "Age of the data of a product's free preview.", () =>
      catalog.products.flatMap((product): readonly MetricSample[] => {
        if (product.definition.plan) return [];
        const shown = previews.find(product, product.previewRequests()[0]);
        return shown ? [{ value: ageOf(Date.parse(shown.as_of)), labels: { product: product.id } }] : [];
      }),
    ),
  ];
};

/** What sold answers were made of; without figures where the operator keeps none. */
const ofInputs = ({ core: { inputs } }: MetricParts): readonly MetricFamily[] => {
  const read = (look: (status: InputsStatus) => number | null) => () => {
    const value = inputs === null ? null : look(inputs.status());
    return value === null ? [] : one(value);
  };
  return [
    counter(
      "inputs_kept",
      "Answers whose inputs were kept, since the start.",
      read(({ kept }) => kept),
    ),
    counter(
      "inputs_lost",
      "Answers sold without keeping their inputs, since the start.",
      read(({ lost }) => lost),
    ),
    gauge(
      "inputs_bytes",
      "What inputs.db holds, packed.",
      // Known to the thread that writes, which starts with the first answer.
      read(({ bytes }) => (bytes > 0 ? bytes : null)),
    ),
  ];
};

const ofJobs = ({ jobs }: MetricParts): readonly MetricFamily[] => {
  const each = (read: (job: JobStatus) => number) => () =>
    jobs().map((job) => ({ value: read(job), labels: { job: job.id } }));
  return [
    counter(
      "job_runs",
      "Runs of a job.",
      each(({ runs }) => runs),
    ),
    counter(
      "job_failures",
      "Runs of a job that failed.",
      each(({ failures }) => failures),
    ),
    gauge(
      "job_last_duration_seconds",
      "How long a job's last run took.",
      each(({ last_duration_s }) => last_duration_s ?? 0),
    ),
    gauge(
      "job_last_success_timestamp_seconds",
      "When a job last went well.",
      each(({ last_ok_at }) => secondsOf(last_ok_at)),
    ),
    gauge(
      "job_next_run_timestamp_seconds",
      "When a job runs next.",
      each(({ next_run }) => secondsOf(next_run)),
    ),
  ];
};

function ofNode({ core: { started_at_ms }, states, version }: MetricParts): readonly MetricFamily[] {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  const delay = (read: () => number) => () => one(Math.max(0, read() / 1e9 - LAG_RESOLUTION_MS / 1000) || 0);
  return [
    gauge("build_info", "1, with the version of this node.", () => [{ value: 1, labels: { version } }]),
    gauge("state", "1 for the state the node is in.", () => {
      const { status } = states.read();
      return STATES.map((state) => ({ value: flag(state === status), labels: { state } }));
    }),
    gauge("start_time_seconds", "When the node started.", () => one(started_at_ms / 1000)),
    gauge("resident_memory_bytes", "Memory of the process.", () => one(process.memoryUsage.rss())),
    counter("cpu_seconds", "CPU time of the process.", () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    }),
    gauge(
      "event_loop_delay_p99_seconds",
      "99th percentile of the event loop's delay.",
      delay(() => lag.percentile(99)),
    ),
    gauge("event_loop_delay_max_seconds", "Longest delay of the event loop since the last scrape.", () => {
      const longest = delay(() => lag.max)();
      lag.reset();
      return longest;
    }),
  ];
}
