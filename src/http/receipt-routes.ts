import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { renderUSD } from "../core/money.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { renderReceiptPage, renderReceiptsPage } from "../pages/receipt-pages.ts";
import type { ReceiptFacts } from "../pages/status.ts";
import type { Words } from "../pages/words.ts";
import { networkById } from "../payments/networks/table.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { ReceiptSigner } from "../trust/receipts.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface ReceiptRouteOptions {
  readonly responder: Responder;
  readonly ledger: Ledger;
  readonly signer: ReceiptSigner;
  readonly public_url: string;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
  /** What pages are rendered from. */
  readonly model: () => SurfaceModel;
}

const RECEIPTS_MAX = 200;
const RECEIPTS_DEFAULT = 50;
const VOUCHER_ID = /^voucher_([1-9][0-9]{0,15})$/;
const CHANNEL_ID = /^0x[0-9a-fA-F]{64}$/;

/** What was sold, for everybody to see. */
export function createReceiptRoutes(options: ReceiptRouteOptions): readonly FreeRoute[] {
  const { responder, ledger, signer, stamp } = options;
  const fresh = responder.headers({ "Cache-Control": "no-store" });
  const json = ({ request, request_id }: HTTPCall, value: unknown): Response => {
    const response = new Response(request.method === "HEAD" ? null : JSON.stringify(value), { headers: fresh });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };

  const page = ({ request, request_id }: HTTPCall, render: (words: Words) => string): Response => {
    const words = chooseWords(new URL(request.url).search.slice(1), request.headers.get("accept-language"));
    const made = { content_type: "text/html; charset=utf-8", body: render(words), headers: PAGE_RESPONSE_HEADERS };
    return send(keep(made, responder), request, request_id);
  };

  const list = async (http_call: HTTPCall): Promise<Response> => {
    const is_page = wantsPage(http_call.request.headers.get("accept"));
    const filter = readFilter(is_page ? withoutEmpty(http_call.search) : http_call.search);
    const { rows: items, next_before } = await ledger.receipts.page(filter);
    const next_cursor = next_before === null ? null : String(next_before);
    const totals = Object.fromEntries(
      Object.entries(await ledger.receipts.totals()).map(([name, { count, amount }]) => [
        name.replace("-", "_"),
        { count, amount_atomic: amount.toString() },
      ]),
    );
    if (is_page) {
      const { label, network, product } = filter;
      const counts = await ledger.receipts.totals();
      return page(http_call, (words) =>
        renderReceiptsPage({
          model: options.model(),
          words,
          next_cursor,
          asked: { label, network, product },
          receipts: items.map(toReceiptFacts),
          totals: { organic: counts.organic.count, operator_test: counts["operator-test"].count },
        }),
      );
    }
    return json(http_call, { ...stamp(), items: items.map(renderReceipt), next_cursor, totals });
  };

  /** As public as the receipt of any other payment, but in no list: only who knows the channel's id can name it. */
  const showVoucher = async (http_call: HTTPCall, step_id: number, channel_id: string | null): Promise<Response> => {
    const named = channel_id !== null && CHANNEL_ID.test(channel_id) ? channel_id.toLowerCase() : null;
    const channel = named === null ? null : await ledger.channels.get(named);
    const step = channel === null ? null : await ledger.channels.step(channel.id, step_id);
    if (channel === null || step === null || step.body === null) {
      const where = "/receipts/voucher_…?channel=0x… shows what a voucher bought, to callers that name its channel";
      throw new NodeError("not_found", `No such receipt: ${where}, as long as its answer is kept.`);
    }
    const { network, token: asset, payer, receiver: pay_to } = channel;
    const { amount, product, charged_at_ms } = step;
    const parties = { network, channel: channel.id, asset, payer, pay_to };
    const response_sha256 = sha256Hex(step.body);
    const receipt_id = `voucher_${step.id}`;
    const signed = signer.voucher({ ...parties, receipt_id, amount, product, charged_at_ms, response_sha256 });
    return json(http_call, {
      ...stamp(),
      id: receipt_id,
      ...parties,
      product,
      amount_atomic: amount.toString(),
      amount_usd: renderUSD(amount),
      charged_at: renderTime(charged_at_ms),
      response_sha256,
      signed: { node: signed },
      verify: { did: `${options.public_url}/.well-known/did.json` },
    });
  };

  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { pathname, searchParams } = new URL(http_call.request.url);
    const id = pathname.split("/")[2] ?? "";
    const voucher = VOUCHER_ID.exec(id)?.[1];
    if (voucher !== undefined) return showVoucher(http_call, Number(voucher), searchParams.get("channel"));
    const row = /^[A-Za-z0-9_]{1,64}$/.test(id) ? await ledger.receipts.get(id) : null;
    if (!row) throw new NodeError("not_found", "No such receipt.");
    const { request_sha256, response_sha256 } = row;
    const receipt = {
      ...stamp(),
      ...renderReceipt(row),
      request_sha256,
      response_sha256,
      signed: { x402: signer.official(row), node: signer.own(row) },
      verify: { url: `${options.public_url}/verify-receipt`, did: `${options.public_url}/.well-known/did.json` },
    };
    if (!wantsPage(http_call.request.headers.get("accept"))) return json(http_call, receipt);
    return page(http_call, (words) => renderReceiptPage({ model: options.model(), words, receipt }));
  };

  return [
    { path: "/receipts", methods: ["GET"], handler: list },
    { path: "/receipts/:id", methods: ["GET"], handler: show },
  ];
}

/** The public form of a receipt. */
const renderReceipt = (row: ReceiptRow): Record<string, unknown> => ({
  id: row.id,
  network: row.network,
  transaction: row.chain_transaction,
  explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
  product: row.product,
  asset: row.asset,
  amount_atomic: row.amount.toString(),
  amount_usd: renderUSD(row.amount),
  authorized_atomic: row.authorized?.toString() ?? null,
  payer: row.payer,
  pay_to: row.pay_to,
  settled_at: renderTime(row.settled_at_ms),
  label: row.label,
  ...(row.node === null ? {} : { node: row.node }),
  on_chain: row.on_chain,
});

/** A row as pages show it. */
export const toReceiptFacts = (row: ReceiptRow): ReceiptFacts => ({
  id: row.id,
  product: row.product,
  amount_atomic: row.amount,
  network_title: networkById(row.network)?.title ?? row.network,
  settled_at_ms: row.settled_at_ms,
  transaction: row.chain_transaction,
  explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
  label: row.label,
  on_chain: row.on_chain,
});

/** A form sends what was left empty too, and the page's language is none of the list's parameters. */
const withoutEmpty = (search: string): string =>
  new URLSearchParams(
    [...new URLSearchParams(search)].filter(([name, value]) => value !== "" && name !== "lang"),
  ).toString();

function readFilter(search: string) {
  const query = readQuery(search, ["limit", "cursor", "label", "network", "product"] as const);
  const label = query.text("label");
  if (label !== undefined && label !== "organic" && label !== "operator-test") {
    throw invalid("label", "organic or operator-test");
  }
  return {
    limit: query.whole("limit", RECEIPTS_MAX) ?? RECEIPTS_DEFAULT,
    before_seq: query.whole("cursor", Number.MAX_SAFE_INTEGER),
    label,
    network: query.text("network"),
    product: query.text("product")?.replace(/^\//, ""),
  };
}
