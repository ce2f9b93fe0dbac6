import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Switch } from "../catalog/switched-off.ts";
import { listUnusedProviders } from "../catalog/unused-providers.ts";
import { renderTime } from "../core/clock.ts";
import { messageOf, NodeError } from "../core/errors.ts";
import { keepFor } from "../core/keep-for.ts";
import { renderUSD } from "../core/money.ts";
import { nameRunning, readPeriod } from "../core/named-period.ts";
import { getOwn } from "../core/own.ts";
import { createBackupProcess } from "../files/backup-process.ts";
import type { SwitchKind } from "../files/switch-file.ts";
import { backupName } from "../ledger/backup.ts";
import { secondsBehind } from "../ledger/copy/copy-state.ts";
import { listLeftOut } from "../payments/facilitators/left-out.ts";
import { IMAGINED } from "../upstream/imagined.gen.ts";
import type { BackupsAnswer } from "./answers.ts";
import { runCorrection, runExplanation } from "./corrections.ts";
import { findStories } from "./find-stories.ts";
import { type KeyCommand, runKeyCommand } from "./keys.ts";
import { renderAdminLandings } from "./live.ts";
import { readLogLines } from "./log-lines.ts";
import type { OperatedCore, OperatedParts, OperatedStart } from "./operated-node.ts";
import type { OperationInput, Operations } from "./operations.ts";
import { readOverview, renderSale } from "./overview.ts";
import { runRefund } from "./refunds.ts";
import { renderSums } from "./render-money.ts";
import { describeOff, type OffRequest, switchOff, switchOn } from "./switch-desk.ts";
import { readWatches } from "./watches.ts";

/** The overview adds up thirty days: who looks every second looks at the same one. */
const OVERVIEW_KEPT_MS = 1_000;
/** What it made so far goes through every key that was ever granted something. */
const MONEY_KEPT_MS = 10_000;
const SALES_DEFAULT = 50;
const UNKNOWN_SHOWN = 100;
const LINES_DEFAULT = 200;
const LEVELS = ["debug", "info", "warn", "error"];

/** What the operator may ask this node. */
export function createOperations(options: OperatedStart, core: OperatedCore, parts: OperatedParts): Operations {
  const { version, clock } = options;
  const money_to_date = keepFor(MONEY_KEPT_MS, clock.now, core.ledger.money.toDate);
  const overview = keepFor(OVERVIEW_KEPT_MS, clock.now, () => readOverview(version, core, { ...parts, money_to_date }));
  return {
    overview,
    sales: (input) => readSales(core, input),
    sales_sums: (input) => readSums(core, input),
    refund: (input) => runRefund(core.ledger, input),
    correct: (input) => runCorrection(core.ledger, input),
    explain: (input) => runExplanation(core.ledger, input),
    find: ({ word }) => findStories(options, core, word),
    products: async () => readProducts(core, parts),
    ...createSwitchOperations(core, parts),
    ...createKeyOperations(parts),
    sources: async () => readSources(core, parts),
    watches: async () => readWatches(options, core),
    jobs: async () => ({ items: parts.scheduler.status() }),
    run_job: ({ job }) => runJob(parts, job),
    attention: () => readAttention(core, parts),
    alerts: async () => ({
      open: parts.alerts.list(),
      undelivered: parts.alerts.undelivered,
      recent: parts.alerts.recent(),
    }),
    test_alerts: async () => ({ sent: await parts.testAlerts() }),
    backups: async () => readBackups(core, parts),
    make_backup: () => makeBackup(options, core),
    config: async () => ({ items: parts.explain() }),
    reload: parts.reload,
    logs: async (input) => readLogs(options, input),
  };
}

/** What switches products and providers off and on. */
function createSwitchOperations({ switches }: OperatedCore, { switch_desk: desk }: OperatedParts) {
  const off = async (wanted: OffRequest) => ({ ok: true, ...(await switchOff(desk, wanted)) });
  const on = async (kind: SwitchKind, name: string) => ({ ok: true, ...(await switchOn(desk, { kind, name })) });
  return {
    products_off: ({ product, ...more }: OperationInput<"products_off">) =>
      off({ kind: "products", name: product, ...more }),
    products_on: ({ product }: OperationInput<"products_on">) => on("products", product),
    providers_off: async ({ provider, yes = false, ...more }: OperationInput<"providers_off">) => {
      const wanted: OffRequest = { kind: "providers", name: provider, ...more };
      if (yes) return off(wanted);
      return { ok: false, error: "yes = true switches it off, with what is named here", ...describeOff(desk, wanted) };
    },
    providers_on: ({ provider }: OperationInput<"providers_on">) => on("providers", provider),
    switches: async () => {
      const { products, providers } = switches.read();
      return { products: products.map(showSwitch), providers: providers.map(showSwitch) };
    },
  };
}

const showSwitch = ({ name, reason, until_ms }: Switch) => ({
  name,
  reason,
  until: until_ms === null ? null : renderTime(until_ms),
});

/** Every command on keys, by the name it has as an operation. */
function createKeyOperations({ gate }: OperatedParts) {
  const run = (command: KeyCommand["command"]) => (input: object) =>
    runKeyCommand(gate.prepaid.commands, { ...input, command });
  return {
    keys: run("list"),
    key: run("show"),
    key_statement: run("statement"),
    key_issue: run("issue"),
    key_top_up: run("top-up"),
    key_amend: run("amend"),
    key_revoke: run("revoke"),
    key_expire: run("expire"),
    key_refund: run("refund"),
  };
}

async function readSales(
  { ledger }: OperatedCore,
  { before, limit = SALES_DEFAULT, product, network, label }: OperationInput<"sales">,
) {
  const { rows, next_before } = await ledger.receipts.page({ limit, before_seq: before, product, network, label });
  return { items: rows.map(renderSale), next: next_before };
}

/** @throws NodeError invalid_parameter for what names no period, or several. */
async function readSums(
  { ledger, clock }: OperatedCore,
  { period, by = "product", ...named }: OperationInput<"sales_sums">,
) {
  const now_ms = clock.now();
  const is_running = Object.keys(named).length === 0;
  const asked =
    is_running || period === undefined
      ? readPeriod(is_running ? nameRunning(period ?? "month", now_ms) : named, now_ms)
      : null;
  if (asked === null) throw new NodeError("invalid_parameter", "Name one period: period, month, year, or from and to.");
  const sums = renderSums(await ledger.money.sums({ ...asked, by }));
  return { from: renderTime(asked.from_ms), until: renderTime(asked.until_ms), by, ...sums };
}

/** Counts are since the start; income from payments beyond that is in the books. */
function readProducts(core: OperatedCore, { states }: OperatedParts) {
  const { catalog, stats, clock, last_success, last_run, previews } = core;
  const shut = new Map(states.read().unavailable.map(({ path, why }) => [path, why]));
  const now_ms = clock.now();
  const items = catalog.products.map((product) => {
    const counts = stats.totals().products.get(product.id);
    const paid = [...(counts?.paid.values() ?? [])].reduce((sum, one) => sum + one, 0);
    const asked = counts?.challenges ?? 0;
    const last = last_success.get(product.id);
    const preview = product.definition.plan ? null : previews.find(product, product.previewRequests()[0]);
    return {
      path: product.path,
      price_usd: product.price_usd,
      plugin: product.plugin,
      ok: last_run.get(product.id) ?? null,
      off_sale: shut.get(product.path) ?? null,
      challenges: asked,
      paid: Object.fromEntries(counts?.paid ?? []),
      conversion: asked + paid === 0 ? null : Math.round((1000 * paid) / (asked + paid)) / 1000,
      settled_usd: renderUSD(counts?.received ?? 0n),
      latency_ms_mean: paid === 0 ? null : Math.round((counts?.duration_ms ?? 0) / paid),
      failures: Object.fromEntries(counts?.failed ?? []),
      refusals: Object.fromEntries(counts?.refused ?? []),
      data_age_s: last ? Math.max(0, Math.floor((now_ms - last.as_of_ms) / 1000)) : null,
      preview_as_of: preview?.as_of ?? null,
      providers: product.providers.map(({ id }) => id),
    };
  });
  const switched = new Set(core.switches.read().products.map(({ name }) => name));
  const paths = new Map(catalog.off.map(({ product }) => [product.path as string, product.default_path as string]));
  const withheld = catalog.withheld.map(({ path, why }) => ({
    path,
    why,
    is_switched: switched.has(path) || switched.has(paths.get(path) ?? path),
  }));
  return { items, withheld, withheld_values: catalog.withheld_values, faults: catalog.faults };
}

function readSources({ catalog, upstream, switches }: OperatedCore, { money }: OperatedParts) {
  const switched = new Set(switches.read().providers.map(({ name }) => name));
  const status = new Map(upstream.status().map((one) => [one.provider, one]));
  const unused = new Map(listUnusedProviders(catalog, upstream).map((one) => [one.provider, one]));
  return {
    facilitators: money.pool.status().map(({ last_check_ms, ...rest }) => ({
      ...rest,
      last_check: last_check_ms === null ? null : renderTime(last_check_ms),
    })),
    networks_left_out: listLeftOut(money.pool),
    providers: catalog.providers.map((provider) => {
      const { turns_on = [], read_by = [], jobs = [] } = unused.get(provider.id) ?? {};
      const calls = status.get(provider.id);
      return {
        provider: provider.id,
        title: provider.title,
        docs_url: provider.docs_url,
        terms: provider.terms.class,
        why_off: upstream.whyNot(provider)?.why ?? null,
        is_switched: switched.has(provider.id),
        adds: { turns_on, read_by, jobs },
        ok: calls?.ok ?? null,
        calls: calls?.calls ?? 0,
        failures: calls?.failures ?? 0,
        last_error: calls?.last_error ?? null,
        breaker: calls?.breaker ?? "closed",
        imagined: getOwn(IMAGINED, provider.id)?.imagined ?? [],
        quotas: upstream.quotas(provider),
      };
    }),
  };
}

/** @throws NodeError not_found */
async function runJob({ scheduler }: OperatedParts, id: string) {
  if (!(await scheduler.runNow(id))) throw new NodeError("not_found", `There is no job "${id}".`);
  return { ...scheduler.status().find((job) => job.id === id) };
}

async function readAttention({ ledger }: OperatedCore, { money }: OperatedParts) {
  const unknown = await ledger.payments.listUnknown(UNKNOWN_SHOWN);
  return {
    unknown: unknown.map(({ id, product, network, payer, amount, facilitator, reason, created_at_ms }) => ({
      payment_id: id,
      product,
      network,
      payer,
      facilitator,
      reason,
      amount_usd: renderUSD(amount),
      created_at: renderTime(created_at_ms),
    })),
    unknown_total: await ledger.landings.countUnknown(),
    ...(await renderAdminLandings(ledger, money.landing)),
  };
}

/** @throws NodeError when no folder is set. */
function backupFolder({ in_force }: OperatedCore): string {
  const { dir } = in_force.config.backup;
  if (dir === undefined) throw new NodeError("invalid_parameter", "Set [backup] dir first, and start the node again.");
  return dir;
}

function readBackups(core: OperatedCore, { scheduler }: OperatedParts) {
  const { dir, every, keep } = core.in_force.config.backup;
  const names = dir !== undefined && existsSync(dir) ? readdirSync(dir) : [];
  const items = names
    .filter((name) => /^ledger-.*\.db$/.test(name) && !name.endsWith(".kept.db"))
    .map((name) => ({ name, ...statSync(join(dir ?? "", name)) }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ name, size, mtimeMs }) => {
      const age_s = Math.max(0, Math.floor((core.clock.now() - mtimeMs) / 1000));
      // A file has this name only once it was read back and audited.
      return { name, bytes: size, at: renderTime(mtimeMs), age_s, proved: true };
    });
  const job = scheduler.status().find(({ id }) => id === "ledger-backup");
  return { dir: dir ?? null, every, keep, items, job: job ?? null, copy: readCopy(core) };
}

/** How far the continuous copy is. */
function readCopy({ ledger, clock }: OperatedCore): BackupsAnswer["copy"] {
  if (ledger.copied === null) return null;
  const { to, copied_ms, snapshot_ms, failing } = ledger.copied;
  const timeOf = (ms: number | null) => (ms === null ? null : renderTime(ms));
  const behind_s = secondsBehind(ledger.copied, clock.now());
  return { to, behind_s, copied_at: timeOf(copied_ms), image_at: timeOf(snapshot_ms), failing };
}

async function makeBackup({ data_dir, clock, log }: OperatedStart, core: OperatedCore) {
  const dir = backupFolder(core);
  try {
    const taken = await createBackupProcess(data_dir).take(join(dir, backupName(clock.now())));
    log.info({ event: "backup_taken", ...taken, by: "operator" });
    return { ok: true, ...taken };
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}

function readLogs({ log }: OperatedStart, { least = "info", event, limit = LINES_DEFAULT }: OperationInput<"logs">) {
  const wanted = readLogLines(log).filter(
    (line) =>
      LEVELS.indexOf(String(line.level)) >= LEVELS.indexOf(least) && (event === undefined || line.event === event),
  );
  return { items: wanted.slice(-limit).toReversed() };
}
