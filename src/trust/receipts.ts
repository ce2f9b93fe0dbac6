import { renderTime } from "../core/clock.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { createLRU } from "../core/lru.ts";
import type { OfficialFacts, ReceiptRow } from "../ledger/receipts.ts";
import { nodeKeyId } from "./did.ts";
import { createJWSSigner } from "./jws.ts";

/** Name of the official x402 extension, in the settlement answer. */
export const OFFER_RECEIPT = "offer-receipt";

/** A signature in the form of the extension. */
export interface SignedReceipt {
  readonly format: "jws";
  /** Compact JWS. */
  readonly signature: string;
}

/**
 * Signs settled payments. A receipt depends only on the ledger's row and the node's address, so its text is always the
 * same.
 */
export interface ReceiptSigner {
  /** The receipt of the x402 extension `offer-receipt`: payer, paid address, time and transaction. */
  official(row: OfficialFacts): SignedReceipt;
  /** Our own receipt, which also states amount, recipient, request and answer. */
  own(row: ReceiptRow): SignedReceipt;
  /** The receipt for the purchase by a payment channel's voucher, of which nothing is on the chain. */
  voucher(sale: VoucherSale): SignedReceipt;
  /** `extensions` of the settlement answer. */
  settlementExtension(row: OfficialFacts): Readonly<Record<string, unknown>>;
}

/** One answer that a voucher paid for. */
export interface VoucherSale {
  readonly receipt_id: string;
  readonly network: string;
  readonly channel: string;
  readonly asset: string;
  /** The charged amount, which may be less than the voucher allowed. */
  readonly amount: bigint;
  readonly payer: string;
  readonly pay_to: string;
  readonly product: string;
  readonly charged_at_ms: number;
  readonly response_sha256: string;
}

export interface ReceiptSignerOptions {
  readonly public_url: string;
  readonly sandbox: boolean;
}

/** The settlement answer is a header without room for a receipt's members, which clients of the extension know. */
const RECEIPT_SCHEMA = { type: "object", properties: { receipt: { type: "object" } }, required: ["receipt"] };

/** About 0.5 kB each. */
const SIGNED_MAX = 2_000;

/** The content of a row's official receipt. `issuedAt` is in Unix seconds. */
export const officialPayload = (row: OfficialFacts, public_url: string) => ({
  version: 1,
  network: row.network,
  resourceUrl: `${public_url}/${row.product}`,
  payer: row.payer,
  issuedAt: Math.floor(row.settled_at_ms / 1000),
  transaction: row.chain_transaction,
});

/**
 * The content of a row's own receipt. `request_sha256` and `response_sha256` are null for sales from before these
 * hashes were kept; docs/agent.md defines the hashed bytes.
 */
export const ownPayload = (row: ReceiptRow, { node_id, public_url, sandbox }: OwnPayloadOptions) => ({
  version: 1,
  node_id,
  receipt_id: row.id,
  network: row.network,
  transaction: row.chain_transaction,
  asset: row.asset,
  amount_atomic: row.amount.toString(),
  payer: row.payer,
  pay_to: row.pay_to,
  product: row.product,
  resource_url: `${public_url}/${row.product}`,
  settled_at: renderTime(row.settled_at_ms),
  label: row.label,
  ...(row.node === null ? {} : { node: row.node }),
  request_sha256: row.request_sha256,
  response_sha256: row.response_sha256,
  ...(sandbox ? { sandbox: true } : {}),
});

/** The content of our own receipt for a voucher. */
const voucherPayload = (sale: VoucherSale, { node_id, public_url, sandbox }: OwnPayloadOptions) => ({
  version: 1,
  node_id,
  receipt_id: sale.receipt_id,
  network: sale.network,
  channel: sale.channel,
  asset: sale.asset,
  amount_atomic: sale.amount.toString(),
  payer: sale.payer,
  pay_to: sale.pay_to,
  product: sale.product,
  resource_url: `${public_url}/${sale.product}`,
  charged_at: renderTime(sale.charged_at_ms),
  response_sha256: sale.response_sha256,
  ...(sandbox ? { sandbox: true } : {}),
});

interface OwnPayloadOptions extends ReceiptSignerOptions {
  readonly node_id: string;
}

export function createReceiptSigner(
  identity: Pick<NodeIdentity, "sign" | "node_id" | "key_name">,
  { public_url, sandbox }: ReceiptSignerOptions,
): ReceiptSigner {
  const sign = createJWSSigner(identity, nodeKeyId(public_url, identity.key_name));
  const { node_id } = identity;
  // A payment may be sent again any number of times, but its receipt is signed once.
  const signed = createLRU<string>(SIGNED_MAX);
  const official = (row: OfficialFacts): SignedReceipt => {
    const signature = signed.get(row.id) ?? sign(officialPayload(row, public_url));
    signed.set(row.id, signature);
    return { format: "jws", signature };
  };
  return {
    official,
    own: (row) => ({ format: "jws", signature: sign(ownPayload(row, { node_id, public_url, sandbox })) }),
    voucher: (sale) => ({ format: "jws", signature: sign(voucherPayload(sale, { node_id, public_url, sandbox })) }),
    settlementExtension: (row) => ({ [OFFER_RECEIPT]: { info: { receipt: official(row) }, schema: RECEIPT_SCHEMA } }),
  };
}
