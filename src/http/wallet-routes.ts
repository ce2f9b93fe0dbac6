import { renderTime } from "../core/clock.ts";
import { renderCSVRow } from "../core/csv.ts";
import { NodeError } from "../core/errors.ts";
import { renderUSD } from "../core/money.ts";
import type { KeyRow } from "../ledger/key-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PurchasesAsked, WalletPurchase } from "../ledger/wallets.ts";
import { renderWalletPage } from "../pages/wallet-page.ts";
import { encodeHeader } from "../payments/codec.ts";
import type { Recovery } from "../payments/gate/recovery.ts";
import { networkById } from "../payments/networks/table.ts";
import type { SignedInWallet, SignIn } from "../payments/sign-in/sign-in.ts";
import { SIGN_IN_EXTENSION } from "../payments/sign-in/sign-in-text.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import { type Handler, type HTTPCall, pathOf } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { renderBalance, statusOf } from "./key-routes.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import { renderPayment } from "./payment-routes.ts";
import { invalid, readQuery } from "./query.ts";
import { type Responder, respondAs } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface WalletRouteOptions {
  readonly responder: Responder;
  readonly ledger: Ledger;
  readonly sign_in: SignIn;
  readonly recovery: Recovery;
  readonly now_ms: () => number;
  readonly public_url: string;
  /** How long a stored answer may be fetched again. */
  readonly replay_window_ms: number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
  /** What the page is rendered from. */
  readonly model: () => SurfaceModel;
}

const PURCHASES_MAX = 500;
const PURCHASES_DEFAULT = 50;
const STATEMENT_MAX = 10_000;
const STATEMENT_DEFAULT = 1_000;
const KEYS_MAX = 500;
const OPEN_MAX = 50;
const ANSWERS = "/wallet/answers/";
const DOORS = ["/wallet/purchases", "/wallet/statement", "/wallet/keys", `${ANSWERS}{payment_id}`] as const;
const PAYMENT_ID = /^pay_[A-Za-z0-9]{1,60}$/;

/** What a wallet that signs in sees: its own, on the network it signed for, and nobody else's. */
export function createWalletRoutes(options: WalletRouteOptions): readonly FreeRoute[] {
  const { responder, ledger, sign_in, stamp } = options;
  const answer = createJSONAnswer(responder, "no-store");

  /** Every door begins with the signature, so that nothing is revealed before the caller is known. */
  const door =
    (show: (http_call: HTTPCall, wallet: SignedInWallet) => Promise<Response>): Handler =>
    async (http_call) => {
      const { request, client } = http_call;
      return show(
        http_call,
        await sign_in.signedInWallet({ headers: request.headers, path: pathOf(request.url), client }),
      );
    };
  const problem: NonNullable<Handler["problem"]> = (error, about) => {
    const response = responder.problem(error, about);
    const { details } = error.options;
    // Clients read what they are to sign from the header, as they read prices.
    if (details?.extensions !== undefined) response.headers.set("PAYMENT-REQUIRED", encodeHeader(details));
    return response;
  };
  const route = (path: string, show: Parameters<typeof door>[0], logged_as = path): FreeRoute => ({
    path,
    methods: ["GET"],
    handler: Object.assign(door(show), { problem, logged_as }),
  });

  const purchases = async (http_call: HTTPCall, wallet: SignedInWallet): Promise<Response> => {
    const query = readQuery(http_call.search, ["limit", "cursor"] as const);
    const limit = query.whole("limit", PURCHASES_MAX) ?? PURCHASES_DEFAULT;
    const before_seq = query.whole("cursor", Number.MAX_SAFE_INTEGER);
    const { items, next_cursor } = await readPage(ledger, { ...wallet, limit, before_seq });
    const open = await ledger.wallets.openPayments(wallet, OPEN_MAX);
    return answer(http_call, {
      ...stamp(),
      wallet,
      items: items.map((row) => ({ ...renderPurchase(row), answer: renderAnswer(row, options) })),
      next_cursor,
      open: open.map(({ payment_id, product, amount, created_at_ms }) => ({
        payment_id,
        product,
        amount_atomic: amount.toString(),
        sent_at: renderTime(created_at_ms),
        state: "unknown",
      })),
    });
  };

  const statement = async (http_call: HTTPCall, wallet: SignedInWallet): Promise<Response> => {
    const query = readQuery(http_call.search, ["format", "limit", "cursor", "from", "until"] as const);
    const format = query.text("format") ?? "json";
    if (format !== "json" && format !== "csv") throw invalid("format", "json or csv");
    const limit = query.whole("limit", STATEMENT_MAX) ?? (format === "csv" ? STATEMENT_MAX : STATEMENT_DEFAULT);
    const [from_ms, until_ms] = [readTime("from", query.text("from")), readTime("until", query.text("until"))];
    const before_seq = query.whole("cursor", Number.MAX_SAFE_INTEGER);
    const { items, next_cursor } = await readPage(ledger, { ...wallet, limit, before_seq, from_ms, until_ms });
    if (format === "csv") {
      const headers = responder.headers({
        "Cache-Control": "no-store",
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="statement.csv"',
        ...(next_cursor === null ? {} : { "X-Next-Cursor": next_cursor }),
      });
      const { request, request_id } = http_call;
      return respondAs(request_id, request.method === "HEAD" ? null : renderCSV(items), { headers });
    }
    const total = items.reduce((sum, { amount }) => sum + amount, 0n);
    return answer(http_call, {
      ...stamp(),
      wallet,
      from: from_ms === undefined ? null : renderTime(from_ms),
      until: until_ms === undefined ? null : renderTime(until_ms),
      // Of the lines below: where there is a next_cursor, there are more.
      total_atomic: total.toString(),
      total_usd: renderUSD(total),
      items: items.map(renderPurchase),
      next_cursor,
    });
  };

  const stored = async (http_call: HTTPCall, wallet: SignedInWallet): Promise<Response> => {
    const id = pathOf(http_call.request.url).slice(ANSWERS.length);
    const found = PAYMENT_ID.test(id) ? await options.recovery.findOf(wallet, id, http_call.client) : null;
    if (!found) throw new NodeError("not_found", "This wallet made no such payment on this network.");
    const response = answer(http_call, { ...stamp(), ...renderPayment(found) });
    if (found.state === "unknown" || found.state === "in_progress") response.headers.set("Retry-After", "5");
    return response;
  };

  const keys = async (http_call: HTTPCall, wallet: SignedInWallet): Promise<Response> => {
    const now_ms = options.now_ms();
    const rows = await ledger.wallets.keys(wallet, KEYS_MAX);
    const items = await Promise.all(rows.map((key) => renderKey(ledger, key, now_ms)));
    return answer(http_call, { ...stamp(), wallet, items });
  };

  /** For people a page; for software where everything is. */
  const about: Handler = (http_call) => {
    const { request, request_id, search } = http_call;
    if (!wantsPage(request.headers.get("accept"))) {
      const networks = sign_in.networks.map(({ id }) => id);
      const doors = DOORS.map((path) => `${options.public_url}${path}`);
      return answer(http_call, { ...stamp(), extension: SIGN_IN_EXTENSION, header: "SIGN-IN-WITH-X", networks, doors });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const body = renderWalletPage({ model: options.model(), words });
    const made = { content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS };
    return send(keep(made, responder), request, request_id);
  };

  return [
    { path: "/wallet", methods: ["GET"], handler: about },
    route("/wallet/purchases", purchases),
    route("/wallet/statement", statement),
    route(`${ANSWERS}:id`, stored),
    route("/wallet/keys", keys),
  ];
}

async function readPage(ledger: Ledger, asked: PurchasesAsked) {
  const rows = await ledger.wallets.purchases({ ...asked, limit: asked.limit + 1 });
  const items = rows.slice(0, asked.limit);
  return { items, next_cursor: rows.length > asked.limit ? String(items.at(-1)?.seq) : null };
}

const renderPurchase = (row: WalletPurchase) => ({
  payment_id: row.payment_id,
  receipt_id: row.receipt_id,
  at: renderTime(row.settled_at_ms),
  kind: row.is_plan ? "plan" : "call",
  product: row.product,
  amount_atomic: row.amount.toString(),
  amount_usd: renderUSD(row.amount),
  authorized_atomic: row.authorized?.toString() ?? null,
  network: row.network,
  transaction: row.chain_transaction,
  explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
  on_chain: row.on_chain,
});

/** Where the bought answer can be fetched again, and until when; null when it is no longer kept. */
function renderAnswer(row: WalletPurchase, { public_url, replay_window_ms, now_ms }: WalletRouteOptions) {
  const until_ms = row.updated_at_ms + replay_window_ms;
  if (!row.has_answer || until_ms <= now_ms()) return null;
  return { url: `${public_url}${ANSWERS}${row.payment_id}`, until: renderTime(until_ms) };
}

/** A key as its buyer sees it: never what it is made of. */
async function renderKey(ledger: Ledger, key: KeyRow, now_ms: number): Promise<Record<string, unknown>> {
  const time = (ms: number | null) => (ms === null ? null : renderTime(ms));
  const { calls, spent } = await ledger.keys.usage(key.id);
  return {
    key_id: key.public_id,
    plan: key.plan,
    status: statusOf(key, key, now_ms),
    created_at: renderTime(key.created_at_ms),
    unlimited: key.pass_until_ms !== null && key.pass_until_ms > now_ms,
    ...(await renderBalance(ledger, key)),
    pass_until: time(key.pass_until_ms),
    balance_until: time(key.balance_until_ms),
    revoked_at: time(key.revoked_at_ms),
    calls,
    spent_atomic: spent.toString(),
  };
}

const COLUMNS = [
  "at",
  "kind",
  "product",
  "amount_atomic",
  "amount_usd",
  "network",
  "transaction",
  "on_chain",
  "receipt_id",
  "payment_id",
  "authorized_atomic",
] as const satisfies readonly (keyof ReturnType<typeof renderPurchase>)[];

/** Purchases as RFC 4180 CSV. */
function renderCSV(rows: readonly WalletPurchase[]): string {
  const lines = rows.map((row) => {
    const shown = renderPurchase(row);
    return renderCSVRow(COLUMNS.map((column) => shown[column]));
  });
  return [COLUMNS.join(","), ...lines, ""].join("\r\n");
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

/** @throws NodeError invalid_parameter */
function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw invalid(name, "a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z");
  return ms;
}
