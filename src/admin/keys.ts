import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Plan } from "../catalog/plan.ts";
import { type ApiKeys, hashApiKey } from "../core/api-key.ts";
import { renderTime } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { NodeError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { getOwn } from "../core/own.ts";
import { PRIORITIES, priorityName } from "../core/priority.ts";
import { closed } from "../core/schema-fields.ts";
import type { Lot } from "../ledger/decide/lots.ts";
import { cleanLabel, type KeyRow } from "../ledger/key-rows.ts";
import type { Grant } from "../ledger/keys.ts";
import type { Ledger } from "../ledger/ledger.ts";

const Usd = Type.String({ pattern: "^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,6})?$" });
/** "none" takes the cap off. */
const Cap = Type.String({ pattern: "^(none|(0|[1-9][0-9]{0,9})(\\.[0-9]{1,6})?)$" });
const KeyId = Type.String({ pattern: "^key_[A-Za-z0-9]{1,60}$" });
const Given = {
  plan: Type.Optional(Type.String({ maxLength: 60 })),
  credit_usd: Type.Optional(Usd),
  duration: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,5}(m|h|d)$" })),
};

/** What the operator may do with keys. */
export const KeyCommand = Type.Union([
  Type.Object(
    { command: Type.Literal("issue"), ...Given, label: Type.Optional(Type.String({ maxLength: 80 })) },
    closed,
  ),
  Type.Object({ command: Type.Literal("top-up"), key_id: KeyId, ...Given }, closed),
  Type.Object({ command: Type.Literal("list"), after: Type.Optional(Type.Integer({ minimum: 0 })) }, closed),
  Type.Object({ command: Type.Literal("show"), key_id: KeyId }, closed),
  Type.Object(
    {
      command: Type.Literal("amend"),
      key_id: KeyId,
      label: Type.Optional(Type.String({ maxLength: 80 })),
      daily_cap_usd: Type.Optional(Cap),
      call_cap_usd: Type.Optional(Cap),
    },
    closed,
  ),
  Type.Object(
    {
      command: Type.Literal("statement"),
      key_id: KeyId,
      before: Type.Optional(Type.Integer({ minimum: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    },
    closed,
  ),
  Type.Object({ command: Type.Literal("revoke"), key_id: KeyId }, closed),
  Type.Object({ command: Type.Literal("expire"), key_id: KeyId }, closed),
  Type.Object({ command: Type.Literal("refund"), call_id: Type.String({ pattern: "^call_[0-9]{1,17}$" }) }, closed),
]);
export type KeyCommand = Static<typeof KeyCommand>;

export interface KeyCommandParts {
  readonly ledger: Ledger;
  readonly keys: ApiKeys;
  /** As they are now. */
  readonly plans: () => readonly Plan[];
  readonly now_ms: () => number;
}

const LIST_MAX = 200;

/**
 * Runs one command of the operator's on the keys. What he gives away is booked as the node's own expense.
 * @throws NodeError invalid_parameter or not_found
 */
export async function runKeyCommand(parts: KeyCommandParts, given: unknown): Promise<Record<string, unknown>> {
  const { ledger } = parts;
  if (!Value.Check(KeyCommand, given)) throw refuseCommand(given);
  switch (given.command) {
    case "issue": {
      const now_ms = parts.now_ms();
      const api_key = parts.keys.derive(parts.keys.newSalt());
      const public_id = newId("key", now_ms);
      const key = {
        public_id,
        hash: hashApiKey(api_key),
        salt: null,
        label: cleanLabel(given.label ?? null),
        purchaser: null,
      };
      const row = await ledger.keys.issue(key, readGrant(parts, given), { by: "operator" });
      return { api_key, ...(await renderKey(ledger, row)) };
    }
    case "top-up": {
      const row = await ledger.keys.byPublicId(given.key_id);
      if (!row) throw new NodeError("not_found", "No such key.");
      const grant = readTopUp(parts, row, given);
      return renderKey(ledger, await ledger.keys.grant(given.key_id, grant, { by: "operator" }));
    }
    case "list": {
      const rows = await ledger.keys.page(given.after ?? 0, LIST_MAX);
      const next = rows.length === LIST_MAX ? (rows.at(-1)?.id ?? null) : null;
      return { items: await Promise.all(rows.map((row) => renderKey(ledger, row))), next };
    }
    case "show": {
      const row = await ledger.keys.byPublicId(given.key_id);
      if (!row) throw new NodeError("not_found", "No such key.");
      const below = await ledger.keys.children(row.id);
      const children = await Promise.all(below.map((child) => renderKey(ledger, child)));
      const last = await ledger.statements.calls(row.id, { limit: 20 });
      const calls = last.map(({ id, at_ms, product, access, times, amount }) => ({
        id: `call_${id}`,
        at: renderTime(at_ms),
        product,
        access,
        calls: times,
        amount_atomic: amount.toString(),
      }));
      return {
        ...(await renderKey(ledger, row)),
        lots: (await ledger.keys.lots(row.id)).map(renderLot),
        children,
        calls,
      };
    }
    case "amend": {
      const { label, daily_cap_usd, call_cap_usd } = given;
      const change = {
        ...(label === undefined ? {} : { label: cleanLabel(label) }),
        ...(daily_cap_usd === undefined ? {} : { daily_cap: readCap(daily_cap_usd) }),
        ...(call_cap_usd === undefined ? {} : { call_cap: readCap(call_cap_usd) }),
      };
      return renderKey(ledger, await ledger.keys.amend(given.key_id, change));
    }
    case "statement":
      return renderStatement(ledger, given);
    case "revoke":
      return renderKey(ledger, await ledger.keys.revoke(given.key_id));
    case "expire":
      return { key_id: given.key_id, expired_atomic: (await ledger.keys.expire(given.key_id)).toString() };
    case "refund": {
      const amount = await ledger.charges.refund(Number(given.call_id.slice("call_".length)));
      return { call_id: given.call_id, refunded_atomic: amount.toString() };
    }
    default:
      return given satisfies never;
  }
}

function readCap(usd: string): bigint | null {
  if (usd === "none") return null;
  const cap = parseUSD(usd);
  if (cap === 0n) throw invalid("cap", 'above 0, or "none"; "revoke" ends a key');
  return cap;
}

const STATEMENT_LINES = 100;

/** What moved a key's balance, newest first. */
async function renderStatement(
  ledger: Ledger,
  { key_id, before, limit = STATEMENT_LINES }: { key_id: string; before?: number; limit?: number },
): Promise<Record<string, unknown>> {
  const row = await ledger.keys.byPublicId(key_id);
  if (!row) throw new NodeError("not_found", "No such key.");
  const root = await ledger.keys.rootOf(row);
  const of = { key_id: row.id, account: root.account, is_child: row.parent !== null };
  const page = await ledger.statements.page(of, { limit, before });
  return {
    key_id,
    opening_balance_usd: renderUSD(page.opening),
    closing_balance_usd: renderUSD(page.closing),
    items: page.lines.map(({ id, at_ms, kind, product, plan, times, change, balance }) => ({
      id: `${kind}_${id}`,
      at: renderTime(at_ms),
      kind,
      product: product ?? plan,
      calls: times,
      change_usd: renderUSD(change),
      balance_usd: renderUSD(balance),
    })),
    next: page.next_before,
  };
}

/** A plan's grant, or the operator's own figures on top of it. */
function readGrant(
  { plans, now_ms }: KeyCommandParts,
  given: { readonly plan?: string; readonly credit_usd?: string; readonly duration?: string },
): Grant {
  const known = plans();
  const plan =
    given.plan === undefined ? undefined : known.find((one) => one.name === given.plan?.replaceAll("-", "_"));
  if (given.plan !== undefined && !plan) {
    throw new NodeError("invalid_parameter", `plan: one of ${known.map((one) => one.name).join(", ")}.`);
  }
  const credit_usd = given.credit_usd ?? plan?.credit_usd ?? null;
  const duration = given.duration ?? plan?.duration ?? null;
  const pass = plan?.pass ?? false;
  if (credit_usd === null && !pass) throw new NodeError("invalid_parameter", "Give a plan or an amount of credit.");
  return {
    plan: plan?.name ?? "operator",
    credit: credit_usd === null ? 0n : parseUSD(credit_usd),
    duration_ms: duration === null ? null : parseDuration(duration),
    pass,
    priority: PRIORITIES[plan?.priority ?? "standard"],
    badge: plan?.badge ? newId("bdg", now_ms()) : null,
  };
}

/** A top-up: credit without a time lasts as long as what is there; a time without credit makes that last longer. */
function readTopUp(
  parts: KeyCommandParts,
  row: KeyRow,
  given: { readonly plan?: string; readonly credit_usd?: string; readonly duration?: string },
): Grant {
  const { plan, credit_usd, duration } = given;
  if (plan !== undefined) return readGrant(parts, given);
  const operators = { plan: row.plan, priority: PRIORITIES.standard, badge: null };
  if (credit_usd === undefined && duration !== undefined) {
    if (row.account === null && row.pass_until_ms === null) throw invalid("duration", "this key has nothing to extend");
    const pass = row.pass_until_ms !== null;
    return { ...operators, credit: 0n, duration_ms: parseDuration(duration), pass };
  }
  const grant = readGrant(parts, given);
  const end_ms = row.balance_until_ms;
  if (duration !== undefined || row.account === null || end_ms === null) return grant;
  const left_ms = end_ms - parts.now_ms();
  if (left_ms <= LEAST_MS) throw invalid("duration", `its credit ended on ${renderTime(end_ms)}: give --duration too`);
  // It must not outlast what is there: the time until it is booked is taken off.
  return { ...grant, duration_ms: left_ms - LEAST_MS };
}

const LEAST_MS = 1_000;
const invalid = (param: string, message: string): NodeError =>
  new NodeError("invalid_parameter", `${param}: ${message}.`, { param });

const COMMANDS = "Commands: issue, top-up, list, show, amend, statement, revoke, expire, refund.";
/** What a value has to look like, by its name in a command. */
const EXPECTED: Readonly<Record<string, string>> = {
  credit_usd: 'an amount in USD such as "5" or "0.50"',
  duration: 'a time such as "30d", "12h" or "90m"',
  key_id: 'the id of a key, such as "key_…", as "keys list" prints it',
  call_id: 'the id of a call, such as "call_…", as "keys show" prints it',
  plan: "the name of a plan",
  label: "at most 80 characters",
  daily_cap_usd: 'an amount in USD such as "5", or "none"',
  call_cap_usd: 'an amount in USD such as "0.50", or "none"',
  before: "a number, the `next` of the page before",
  limit: "1 to 1000",
  after: "a number, the `next` of the page before",
};

/** Names the value that is wrong, not all there is. */
function refuseCommand(given: unknown): NodeError {
  const name = typeof given === "object" && given !== null && "command" in given ? given.command : undefined;
  const schema = KeyCommand.anyOf.find(({ properties }) => properties.command.const === name);
  const fault = schema ? Value.Errors(schema, given).First() : undefined;
  const param = fault?.path.slice(1) ?? "";
  return param === ""
    ? new NodeError("invalid_parameter", COMMANDS)
    : invalid(param, getOwn(EXPECTED, param) ?? "not known");
}

const renderLot = ({ at_ms, credit, left, until_ms }: Lot) => ({
  granted_at: renderTime(at_ms),
  granted_usd: renderUSD(credit),
  left_usd: renderUSD(left),
  until: until_ms === null ? null : renderTime(until_ms),
});

async function renderKey({ keys }: Ledger, row: KeyRow): Promise<Record<string, unknown>> {
  const { calls, spent } = await keys.usage(row.id);
  const { posted, pending } = await keys.balance(row.account ?? "");
  const parent = row.parent === null ? null : await keys.byId(row.parent);
  const time = (ms: number | null) => (ms === null ? null : renderTime(ms));
  return {
    key_id: row.public_id,
    plan: row.plan,
    label: row.label,
    purchaser: row.purchaser,
    parent: parent?.public_id ?? null,
    created_at: renderTime(row.created_at_ms),
    balance_atomic: row.account === null ? null : (posted - pending).toString(),
    balance_usd: row.account === null ? null : renderUSD(posted - pending),
    pass_until: time(row.pass_until_ms),
    balance_until: time(row.balance_until_ms),
    expires_at: time(row.expires_at_ms),
    revoked_at: time(row.revoked_at_ms),
    suspended_at: time(row.suspended_at_ms),
    daily_cap_usd: row.daily_cap === null ? null : renderUSD(row.daily_cap),
    call_cap_usd: row.call_cap === null ? null : renderUSD(row.call_cap),
    priority: priorityName(row.priority),
    badge: row.badge,
    calls,
    spent_atomic: spent.toString(),
  };
}
