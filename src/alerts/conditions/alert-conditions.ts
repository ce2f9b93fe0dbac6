import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { renderEndingTable } from "../../catalog/dated-tables.ts";
import { renderTime } from "../../core/clock.ts";
import { parseDuration } from "../../core/duration.ts";
import { renderUSD } from "../../core/money.ts";
import type { ReceiptRow } from "../../ledger/receipts.ts";
import { listLeftOut } from "../../payments/facilitators/left-out.ts";
import type { FacilitatorStatus } from "../../payments/facilitators/pool.ts";
import { networkById } from "../../payments/networks/table.ts";
import type { AlertBook } from "../alert-book.ts";
import type { AlertCondition, Happening } from "../types.ts";
import { nameCauses } from "./alert-causes.ts";
import type { AlertParts } from "./alert-parts.ts";
import { findUnanchored } from "./anchor-conditions.ts";
import { findChannels } from "./channel-conditions.ts";
import { findLateCopy } from "./copy-conditions.ts";
import { findContradicted } from "./doubt-conditions.ts";
import { findEndingTables } from "./ending-tables.ts";
import { findUnbooked } from "./income-conditions.ts";
import { type AlertJudgement, type ConditionLook, judgeConditions, judgeOne } from "./judge-conditions.ts";
import { findOutside } from "./look-outside.ts";
import { findModelConditions } from "./model-conditions.ts";
import { findStuckChannels } from "./own-channel-conditions.ts";
import { findSourceChanges } from "./source-change-conditions.ts";
import { findProducts, findSources } from "./source-conditions.ts";
import { findDeadWebhooks } from "./webhook-conditions.ts";

interface SoldSum {
  readonly count: number;
  readonly amount: bigint;
}

export function readDisk(folder: string): ReturnType<AlertParts["readDisk"]> {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** A fault that stops sales is reported as ended a minute after its end. */
const MONEY_OVER_MS = 60_000;
/** The first of so many sales is looked for. */
const FIRST_MAX = 100;
/** So many are named in an alert. */
const SUSPENDED_NAMED = 5;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const QUOTA_SHARE = 0.8;
const DISK_BYTES_MIN = 1e9;
const DISK_SHARE_MIN = 0.05;
/** A backup may be late by as much as it takes until the next look, and longer on a busy machine. */
const BACKUP_LATE = 2;

/** All conditions, each judged alone. Titles name no buyer and no address. */
const LOOKS: readonly ConditionLook[] = [
  { name: "the ledger", events: ["ledger"], find: findLedger },
  { name: "facilitators", events: ["facilitator", "network", "gas"], find: findMoney },
  {
    name: "settlements",
    events: ["doubted", "never-landed", "key-suspended", "settlement-unknown"],
    reads_ledger: true,
    find: findSettlements,
  },
  { name: "wallets", events: ["income"], find: ({ money }) => findUnbooked(money.income?.found() ?? []) },
  { name: "payment channels", events: ["channels"], reads_ledger: true, find: findClaims },
  {
    name: "channels with peers",
    events: ["peer-channel"],
    find: ({ stuck_channels }) => findStuckChannels(stuck_channels?.() ?? []),
  },
  { name: "sources", events: ["source"], find: findSources },
  { name: "products", events: ["provider", "product"], find: findProducts },
  { name: "bulk files", events: ["dataset"], find: findRefusedDatasets },
  {
    name: "answers of sources",
    events: ["source-changed"],
    find: ({ core }) => findSourceChanges(core.source_changes()),
  },
  { name: "quotas", events: ["quota"], find: findQuotas },
  {
    name: "language models",
    events: ["models", "model-budget", "model-spent"],
    find: ({ core }) => findModelConditions(core),
  },
  { name: "the disk", events: ["disk"], find: findDisk },
  {
    name: "backups",
    events: ["backup"],
    find: (parts) => [...findBackup(parts), ...findLateCopy(parts.core.ledger.copied, parts.core.clock.now())],
  },
  {
    name: "webhooks of watches",
    events: ["webhooks"],
    find: ({ webhooks }) => (webhooks ? findDeadWebhooks(webhooks()) : []),
  },
  {
    name: "public timestamps",
    events: ["anchors"],
    reads_ledger: true,
    find: async ({ core: { anchors, clock } }) => findUnanchored(await anchors.troubles(), clock.now()),
  },
  {
    name: "what is outside",
    events: ["certificate", "clock", "version"],
    find: findSeenOutside,
  },
  {
    name: "tables of dates",
    events: ["table"],
    find: ({ core: { catalog, in_force, clock } }) =>
      findEndings({ plugins: catalog.plugins, config: in_force.config, now_ms: clock.now() }),
  },
];

/** What is wrong with this node now, of all that its operator is told about, and what could not be judged. */
export async function findConditions(parts: AlertParts, was_offline: boolean): Promise<AlertJudgement> {
  const { conditions, unseen } = await judgeConditions(parts, LOOKS);
  const judged = await judgeOne({ name: "causes" }, parts, () => nameCauses(conditions, parts, was_offline));
  return { unseen, conditions: "found" in judged ? judged.found : [...conditions, judged.fault] };
}

/** What answers say of the clock now counts before the hourly look. */
function findSeenOutside({ outside, core, version }: AlertParts): readonly AlertCondition[] {
  const seen = outside.read();
  const clock_off = core.clock_watch?.judge();
  const now_known = clock_off === undefined ? seen : { ...seen, clock_off };
  return findOutside(now_known, { now_ms: core.clock.now(), version });
}

async function findClaims({ core, claims }: AlertParts): Promise<readonly AlertCondition[]> {
  return claims ? findChannels(await core.ledger.channels.totals(), claims()) : [];
}

interface Endings {
  readonly plugins: Parameters<typeof findEndingTables>[1];
  readonly config: Parameters<typeof findEndingTables>[0];
  readonly now_ms: number;
}

/** Tables of dates that the program ships and that end soon. */
export const findEndings = ({ plugins, config, now_ms }: Endings): readonly AlertCondition[] =>
  findEndingTables(config, plugins, now_ms).map((table) => ({
    id: `table:${table.what}`,
    severity: "warning",
    title: table.days_left < 0 ? `${table.what}: over` : `${table.what}: known for ${table.days_left} more days`,
    text: `${renderEndingTable(table)}; a newer version of the program may know more.`,
    for_ms: 0,
  }));

function findLedger({ core: { ledger } }: AlertParts): readonly AlertCondition[] {
  if (ledger.trouble === null) return [];
  const text = `${ledger.trouble}. Nothing is sold until it does. See "intel-node ledger audit" and the disk.`;
  const title = "the ledger takes no writes";
  return [{ id: "ledger", severity: "critical", title, text, for_ms: 0, over_ms: MONEY_OVER_MS }];
}

/** What cannot be paid now goes with the facilitator that does not answer, where that is why. */
function describeSilence({ id, networks }: FacilitatorStatus, pool: AlertParts["money"]["pool"]): AlertCondition {
  const names = networks.join(", ") || "its networks";
  const unpaid = pool.unavailable().map(({ network }) => network);
  const is_all = pool.offers.length === 0;
  const consequence = is_all
    ? "Nothing can be paid."
    : unpaid.length > 0
      ? `Nothing can be paid on ${unpaid.join(", ")}; what others settle goes on.`
      : `Payments on ${names} go through another one.`;
  return {
    id: `facilitator:${id}`,
    severity: "critical",
    title: `facilitator ${id} does not answer${is_all ? ": nothing can be paid" : ""}`,
    text: `${consequence} It is asked again every 30 seconds. /live and the log (facilitator_down) say more.`,
    // It was asked twice, or left a payment without an answer.
    for_ms: 0,
    over_ms: MONEY_OVER_MS,
  };
}

function findMoney({ money: { pool } }: AlertParts): readonly AlertCondition[] {
  return [
    ...pool
      .status()
      .filter(({ ok }) => !ok)
      .map((facilitator) => describeSilence(facilitator, pool)),
    ...listLeftOut(pool).map(
      ({ network, why }): AlertCondition => ({
        id: `network:${network}`,
        severity: "critical",
        title: `nothing can be paid on ${network}`,
        text: why,
        for_ms: 0,
        over_ms: MONEY_OVER_MS,
      }),
    ),
    ...pool.status().flatMap(({ id, warnings }) =>
      warnings.map(
        ({ network, why }): AlertCondition => ({
          id: `gas:${id}:${network}`,
          severity: "warning",
          title: `facilitator ${id} warns on ${network}`,
          text: why,
          for_ms: MINUTE_MS,
        }),
      ),
    ),
  ];
}

const nameSome = (keys: readonly { readonly public_id: string }[]): string =>
  [
    ...keys.slice(0, SUSPENDED_NAMED).map(({ public_id }) => public_id),
    ...keys.slice(SUSPENDED_NAMED).map(() => "more"),
  ].join(", ");

async function findSettlements({
  core: { ledger },
  money: { landing },
}: AlertParts): Promise<readonly AlertCondition[]> {
  const contradicted = await landing.trust.contradicted();
  const unknown = await ledger.landings.countUnknown();
  const suspended = await ledger.keys.suspended(SUSPENDED_NAMED + 1);
  return [
    ...findContradicted(contradicted),
    ...(suspended.length === 0
      ? []
      : [
          {
            id: "key-suspended",
            severity: "warning" as const,
            title: "keys are suspended: a payment for them is not on the chain",
            text: `${nameSome(suspended)}: given back when it lands; "keys revoke" ends one for good.`,
            for_ms: 0,
          },
        ]),
    ...(unknown === 0
      ? []
      : [
          {
            id: "settlement-unknown",
            severity: "warning" as const,
            title: "payments have no known outcome",
            text: `${unknown} are looked up on the chain until it is known.`,
            for_ms: 30 * MINUTE_MS,
          },
        ]),
  ];
}

/** Bulk files that were cut off, shrunk or could not be had: the last good version stays, and grows old. */
export function findRefusedDatasets({
  core: { refused_datasets },
}: {
  readonly core: Pick<AlertParts["core"], "refused_datasets">;
}): readonly AlertCondition[] {
  return [...refused_datasets]
    .filter(([, why]) => why !== null)
    .map(([name, why]) => ({
      id: `dataset:${name}`,
      severity: "warning",
      title: `the newest ${name} was not taken in`,
      text: `${why}. The last good version stays, and what is sold of it says how old it is.`,
      for_ms: 0,
    }));
}

function findQuotas({ core: { catalog, upstream } }: AlertParts): readonly AlertCondition[] {
  return catalog.providers.flatMap((provider) =>
    upstream
      .quotas(provider)
      .filter(({ spent, limit }) => spent >= QUOTA_SHARE * limit)
      .map(
        ({ period, spent, limit }): AlertCondition => ({
          id: `quota:${provider.id}:${period}`,
          severity: "warning",
          title: `${Math.floor((100 * spent) / limit)} % of ${provider.id}'s quota of this ${period} are spent`,
          text: `${spent} of ${limit}. What needs it is uncharged when it is gone.`,
          for_ms: 0,
        }),
      ),
  );
}

function findDisk({ data_dir, readDisk: read }: AlertParts): readonly AlertCondition[] {
  const { free, total } = read(data_dir);
  if (free >= DISK_BYTES_MIN || free >= DISK_SHARE_MIN * total) return [];
  const text = `${Math.floor(free / 1e6)} MB are left in the data folder. A full disk stops sales, and loses nothing.`;
  return [{ id: "disk", severity: "critical", title: "the disk is nearly full", text, for_ms: MINUTE_MS }];
}

/** When the newest backup was made, ms; 0 without a backup. */
const findNewestBackup = (dir: string): number =>
  existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => name.endsWith(".db"))
        .reduce((newest, name) => Math.max(newest, statSync(join(dir, name)).mtimeMs), 0)
    : 0;

type BackupParts = Pick<AlertParts, "config"> & { readonly core: Pick<AlertParts["core"], "clock"> };

/** @param since_ms before it no backup could be made. */
export function isBackupLate({ config, core }: BackupParts, since_ms: number): boolean {
  const { dir, every } = config.backup;
  if (dir === undefined) return false;
  return core.clock.now() >= Math.max(findNewestBackup(dir), since_ms) + BACKUP_LATE * parseDuration(every);
}

function findBackup(parts: AlertParts): readonly AlertCondition[] {
  const { dir } = parts.config.backup;
  if (dir === undefined || !isBackupLate(parts, parts.core.started_at_ms)) return [];
  const newest_ms = findNewestBackup(dir);
  const text =
    newest_ms === 0
      ? "There is none in [backup] dir."
      : `The newest one is of ${new Date(newest_ms).toISOString()}. The log names the reason (job_failed).`;
  return [{ id: "backup", severity: "critical", title: "the last backup is too old", text, for_ms: 0 }];
}

/** The first payment by itself where it can be found; else how many there were when it was looked for. */
function describeFirst({ count, amount }: SoldSum, first: ReceiptRow | undefined): string {
  if (first === undefined) return `${count} payments so far, ${renderUSD(amount)} USD. Receipts are on /receipts.`;
  const network = networkById(first.network)?.title ?? first.network;
  const at = renderTime(first.settled_at_ms);
  const paid = `/${first.product} for ${renderUSD(first.amount)} USD on ${network}, ${at}.`;
  const more = count > 1 ? ` ${count} payments so far, ${renderUSD(amount)} USD.` : "";
  return `${paid}${more} The receipt is on /receipts.`;
}

/** The first sale, and each day's sum once the day is over. */
export async function findHappenings(
  { core: { ledger, clock } }: AlertParts,
  { begun_ms, hasTold }: Pick<AlertBook, "begun_ms" | "hasTold">,
): Promise<readonly Happening[]> {
  const found: Happening[] = [];
  if (!hasTold("first-sale")) {
    const { organic } = await ledger.receipts.totals();
    if (organic.count > 0) {
      const receipts =
        organic.count <= FIRST_MAX ? (await ledger.receipts.page({ limit: FIRST_MAX, label: "organic" })).rows : [];
      found.push({ id: "first-sale", title: "the first sale", text: describeFirst(organic, receipts.at(-1)) });
    }
  }
  const today_ms = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const yesterday = new Date(today_ms - DAY_MS).toISOString().slice(0, 10);
  if (begun_ms < today_ms && !hasTold(`daily:${yesterday}`)) {
    const [since, after] = [await ledger.receipts.totals(today_ms - DAY_MS), await ledger.receipts.totals(today_ms)];
    const count = since.organic.count - after.organic.count;
    const usd = renderUSD(since.organic.amount - after.organic.amount);
    const text = `${count} ${count === 1 ? "payment" : "payments"}, ${usd} USD, without your own tests.`;
    found.push({ id: `daily:${yesterday}`, title: `${yesterday}: ${usd} USD`, text });
  }
  return found;
}
