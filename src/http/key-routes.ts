import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type ApiKeys, hashApiKey } from "../core/api-key.ts";
import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { renderUSD } from "../core/money.ts";
import { priorityName } from "../core/priority.ts";
import type { KeyRow } from "../ledger/key-rows.ts";
import { cleanLabel } from "../ledger/key-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { CallLine } from "../ledger/statements.ts";
import { priorityOf, suspendedKey } from "../payments/keys/usable.ts";
import { readJSONBody } from "./body.ts";
import { findSentKey } from "./find-key.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { refuseTwoKeys } from "./shown-key.ts";
import { renderCSV, renderLine } from "./statement-csv.ts";

export interface KeyRouteOptions {
  readonly responder: Responder;
  readonly ledger: Ledger;
  readonly keys: ApiKeys;
  readonly now_ms: () => number;
  /** Whether a product of this id is sold. */
  readonly isProduct: (id: string) => boolean;
  readonly public_url: string;
  /** Signs a badge: Ed25519, base64url. */
  readonly sign: (message: string) => { readonly signature: string; readonly public_key: string };
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,17}$" });
const Whole = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Mint = Type.Object(
  {
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    daily_cap_atomic: Type.Optional(Type.Union([Amount, Whole])),
    call_cap_atomic: Type.Optional(Type.Union([Amount, Whole])),
    products: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200 })),
    expires_at: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { additionalProperties: false },
);

const BODY_BYTES_MAX = 16_384;
const LAST_CALLS = 10;
const STATEMENT_MAX = 10_000;
const STATEMENT_DEFAULT = 100;

/** What the holder of a key may do with it: look, mint, revoke, account for. */
export function createKeyRoutes(options: KeyRouteOptions): readonly FreeRoute[] {
  const { responder, ledger } = options;
  const secret = responder.headers({ "Cache-Control": "no-store" });
  const answer = ({ request, request_id }: HTTPCall, value: unknown, status = 200): Response => {
    const body = request.method === "HEAD" ? null : JSON.stringify(value);
    const response = new Response(body, { status, headers: secret });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };

  const find = (text: string | null): Promise<KeyRow> => findSentKey(ledger, text);
  const holder = ({ request }: HTTPCall): Promise<KeyRow> => find(request.headers.get("x-api-key"));
  const ownOrChild = async (key: KeyRow, public_id: string | undefined): Promise<KeyRow> => {
    if (public_id === undefined || public_id === key.public_id) return key;
    const child = await ledger.keys.byPublicId(public_id);
    if (!child || child.parent !== key.id) throw new NodeError("not_found", "No such key below this one.");
    return child;
  };

  const renderStatus = async (key: KeyRow): Promise<Record<string, unknown>> => {
    const now_ms = options.now_ms();
    const root = await ledger.keys.rootOf(key);
    const usage = await ledger.keys.usage(key.id);
    const last = await ledger.statements.calls(key.id, { limit: LAST_CALLS });
    const time = (ms: number | null) => (ms === null ? null : renderTime(ms));
    const has_pass = root.pass_until_ms !== null && root.pass_until_ms > now_ms;
    return {
      ...options.stamp(),
      key_id: key.public_id,
      plan: root.plan,
      status: statusOf(key, root, now_ms),
      unlimited: has_pass,
      ...(await renderBalance(ledger, root)),
      granted_atomic: (await ledger.statements.granted(root.id)).toString(),
      spent_atomic: usage.spent.toString(),
      pass_until: time(root.pass_until_ms),
      balance_until: time(root.balance_until_ms),
      expires_at: time(endOf(key, root, has_pass)),
      priority: priorityName(priorityOf(root, now_ms)),
      badge_url: root.badge === null ? null : `${options.public_url}/badges/${root.badge}`,
      calls: { total: usage.calls, last: last.map(renderCall) },
      ...(key.parent === null ? {} : { child: await renderChild(ledger, key, now_ms) }),
    };
  };

  const mint = async (http_call: HTTPCall): Promise<Response> => {
    const parent = await holder(http_call);
    if (parent.parent !== null) throw new NodeError("invalid_parameter", "A child key cannot mint keys.");
    if (parent.revoked_at_ms !== null) throw new NodeError("not_found", "No such API key.");
    if (parent.suspended_at_ms !== null) throw suspendedKey();
    const wanted = readMint(await readJSONBody(http_call.request, BODY_BYTES_MAX), options);
    const now_ms = options.now_ms();
    const api_key = options.keys.derive(options.keys.newSalt());
    const child = await ledger.keys.mint(parent, {
      public_id: newId("key", now_ms),
      hash: hashApiKey(api_key),
      ...wanted,
    });
    return answer(http_call, { ...options.stamp(), api_key, ...(await renderChild(ledger, child, now_ms)) }, 201);
  };

  const statement = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["format", "limit", "before", "key_id", "key"] as const);
    const given = await find(readShown(http_call, query.text("key")));
    const key = await ownOrChild(given, query.text("key_id"));
    const format = query.text("format") ?? "json";
    if (format !== "json" && format !== "csv") throw invalid("format", "json or csv");
    const limit = query.whole("limit", STATEMENT_MAX) ?? (format === "csv" ? STATEMENT_MAX : STATEMENT_DEFAULT);
    const before = query.whole("before", Number.MAX_SAFE_INTEGER);
    const root = await ledger.keys.rootOf(key);
    const of = { key_id: key.id, account: root.account, is_child: key.parent !== null };
    const page = await ledger.statements.page(of, { limit, before });
    const next_before = page.next_before === null ? null : String(page.next_before);
    const opening = page.opening.toString();
    const closing = page.closing.toString();
    if (format === "csv") {
      const headers = responder.headers({
        "Cache-Control": "no-store",
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${key.public_id}.csv"`,
      });
      headers.set("X-Request-Id", http_call.request_id);
      headers.set("X-Opening-Balance", opening);
      headers.set("X-Closing-Balance", closing);
      if (next_before) headers.set("X-Next-Before", next_before);
      return new Response(http_call.request.method === "HEAD" ? null : renderCSV(page.lines), { headers });
    }
    const grants = (await ledger.statements.grants(key.id)).map(({ at_ms, paid, credit, duration_ms, ...rest }) => ({
      at: renderTime(at_ms),
      ...rest,
      paid_atomic: paid.toString(),
      credit_atomic: credit.toString(),
      duration_s: duration_ms === null ? null : duration_ms / 1000,
    }));
    return answer(http_call, {
      ...options.stamp(),
      key_id: key.public_id,
      ...(await renderBalance(ledger, root)),
      grants,
      opening_balance_atomic: opening,
      opening_balance_usd: renderUSD(page.opening),
      closing_balance_atomic: closing,
      closing_balance_usd: renderUSD(page.closing),
      items: page.lines.map(renderLine),
      next_before,
    });
  };

  const creditsStatus = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["key"] as const);
    const key = await find(readShown(http_call, query.text("key")));
    return answer(http_call, await renderStatus(key));
  };

  const badge = async (http_call: HTTPCall): Promise<Response> => {
    const id = http_call.request.url.split("/badges/")[1]?.split("?")[0] ?? "";
    const key = /^bdg_[A-Za-z0-9]{1,40}$/.test(id) ? await ledger.keys.byBadge(id) : null;
    if (!key) throw new NodeError("not_found", "No such badge.");
    const granted = (await ledger.statements.grants(key.id)).find((grant) => grant.plan === key.plan);
    const claim = {
      badge: id,
      plan: key.plan,
      key_id: key.public_id,
      holder: key.purchaser,
      issued_at: renderTime(granted?.at_ms ?? key.created_at_ms),
      valid_until: key.balance_until_ms === null ? null : renderTime(key.balance_until_ms),
      status: statusOf(key, key, options.now_ms()),
    };
    const signed = JSON.stringify({ ...options.stamp(), ...claim });
    return answer(http_call, { ...claim, proof: { type: "Ed25519", signed, ...options.sign(signed) } });
  };

  return [
    {
      path: "/credits-status",
      methods: ["GET"],
      handler: Object.assign(creditsStatus, { key_param: "key" }),
    },
    {
      path: "/keys",
      methods: ["GET", "POST"],
      handler: async (http_call) => {
        if (http_call.request.method === "POST") return mint(http_call);
        const parent = await holder(http_call);
        const now_ms = options.now_ms();
        const children = await ledger.keys.children(parent.id);
        const items = await Promise.all(children.map((child) => renderChild(ledger, child, now_ms)));
        return answer(http_call, { ...options.stamp(), key_id: parent.public_id, items });
      },
    },
    {
      path: "/keys/:id",
      methods: ["DELETE"],
      handler: async (http_call) => {
        const parent = await holder(http_call);
        const id = http_call.request.url.split("/keys/")[1]?.split("?")[0] ?? "";
        const child = await ownOrChild(parent, id);
        if (child === parent)
          throw new NodeError("invalid_parameter", "A key cannot revoke itself, only its children.");
        const { public_id, revoked_at_ms } = await ledger.keys.revoke(child.public_id);
        const revoked_at = revoked_at_ms === null ? null : renderTime(revoked_at_ms);
        return answer(http_call, { ...options.stamp(), key_id: public_id, revoked_at });
      },
    },
    { path: "/statement", methods: ["GET"], handler: Object.assign(statement, { key_param: "key" }) },
    { path: "/badges/:id", methods: ["GET"], handler: badge },
  ];
}

/** The key of a call to a path that also takes one as a parameter. */
function readShown({ request }: HTTPCall, param: string | undefined): string | null {
  const header = request.headers.get("x-api-key");
  if (header !== null && param !== undefined && header !== param) throw refuseTwoKeys();
  return header ?? param ?? null;
}

export function statusOf(key: KeyRow, root: KeyRow, now_ms: number): "active" | "expired" | "revoked" | "suspended" {
  if (key.revoked_at_ms !== null || root.revoked_at_ms !== null) return "revoked";
  if (root.suspended_at_ms !== null) return "suspended";
  if (key.expires_at_ms !== null && key.expires_at_ms <= now_ms) return "expired";
  if (root.pass_until_ms !== null && root.pass_until_ms > now_ms) return "active";
  const runs = root.account !== null && (root.balance_until_ms === null || root.balance_until_ms > now_ms);
  return runs ? "active" : "expired";
}

/** When what pays now ends: a child's own end if it is sooner. */
function endOf(key: KeyRow, root: KeyRow, has_pass: boolean): number | null {
  const end_ms = has_pass || root.account === null ? root.pass_until_ms : root.balance_until_ms;
  if (key.expires_at_ms === null) return end_ms;
  return end_ms === null ? key.expires_at_ms : Math.min(end_ms, key.expires_at_ms);
}

export async function renderBalance(ledger: Ledger, root: KeyRow): Promise<Record<string, unknown>> {
  if (root.account === null) return { balance: null, balance_atomic: null };
  const { posted, pending } = await ledger.keys.balance(root.account);
  const available = posted - pending;
  return {
    balance: {
      posted_atomic: posted.toString(),
      pending_atomic: pending.toString(),
      available_atomic: available.toString(),
      available_usd: renderUSD(available),
      // In the order they are spent in.
      lots: (await ledger.keys.lots(root.id)).map(({ at_ms, credit, left, until_ms }) => ({
        granted_at: renderTime(at_ms),
        credit_atomic: credit.toString(),
        left_atomic: left.toString(),
        until: until_ms === null ? null : renderTime(until_ms),
      })),
    },
    balance_atomic: available.toString(),
  };
}

const DAY_MS = 86_400_000;

async function renderChild(ledger: Ledger, key: KeyRow, now_ms: number): Promise<Record<string, unknown>> {
  const usage = await ledger.keys.usage(key.id);
  const today = usage.day === Math.floor(now_ms / DAY_MS) ? usage.spent_today : 0n;
  return {
    key_id: key.public_id,
    label: key.label,
    created_at: renderTime(key.created_at_ms),
    expires_at: key.expires_at_ms === null ? null : renderTime(key.expires_at_ms),
    revoked_at: key.revoked_at_ms === null ? null : renderTime(key.revoked_at_ms),
    daily_cap_atomic: key.daily_cap?.toString() ?? null,
    call_cap_atomic: key.call_cap?.toString() ?? null,
    products: key.products,
    calls: usage.calls,
    spent_atomic: usage.spent.toString(),
    spent_today_atomic: today.toString(),
  };
}

const renderCall = (call: CallLine) => ({
  id: `call_${call.id}`,
  at: renderTime(call.at_ms),
  product: call.product,
  access: call.access,
  // Calls of a pass are added up by the minute.
  ...(call.access === "pass" ? { calls: call.times } : {}),
  amount_atomic: call.amount.toString(),
  ...(call.refunded ? { refunded: true } : {}),
});

function readMint(body: unknown, { isProduct, now_ms }: KeyRouteOptions) {
  const given: unknown = body ?? {};
  if (!Value.Check(Mint, given)) {
    const fault = Value.Errors(Mint, given).First();
    const param = fault?.path.split("/")[1] ?? "body";
    throw invalid(param, fault?.message ?? "an object");
  }
  const wanted: Static<typeof Mint> = given;
  const products = wanted.products?.map((name) => name.replace(/^\//, "")) ?? null;
  const unknown = products?.find((id) => !isProduct(id));
  if (unknown !== undefined) throw invalid("products", `paths sold here; "${unknown}" is none`);
  const expires_at_ms = wanted.expires_at === undefined ? null : Date.parse(wanted.expires_at);
  if (expires_at_ms !== null && !(expires_at_ms > now_ms() && expires_at_ms < 253_402_300_799_000)) {
    throw invalid("expires_at", "an ISO 8601 time to come");
  }
  const amount = (value: string | number | undefined) => (value === undefined ? null : BigInt(value));
  return {
    label: cleanLabel(wanted.label ?? null),
    daily_cap: amount(wanted.daily_cap_atomic),
    call_cap: amount(wanted.call_cap_atomic),
    products,
    expires_at_ms,
  };
}
