import { isAddress } from "../core/eth-address.ts";
import { cleanForeign } from "../core/foreign-text.ts";
import { isSolanaAddress } from "../core/solana-address.ts";
import { findNetwork, findUSDC, isSameAsset } from "../networks/find.ts";

/** One way to pay, of either protocol version, in one form. */
export interface PaymentTerm {
  readonly scheme: string;
  /** CAIP-2 where the name is known; as it was written where not. */
  readonly network: string;
  /** In the asset's smallest unit; null when it is no whole number above 0. */
  readonly amount_atomic: string | null;
  readonly asset: string;
  readonly pay_to: string;
  readonly timeout_s: number | null;
  readonly resource: string | null;
  readonly description: string | null;
  readonly mime_type: string | null;
  /** EIP-712 domain of the asset, as the seller states it. */
  readonly domain: { readonly name: string; readonly version: string } | null;
  /** Paid through Permit2, which signs in its own name: then the asset's domain does not matter. */
  readonly is_permit2?: boolean;
}

/** What a 402 of x402 asks for, whichever its version. */
export interface PaymentTerms {
  readonly version: number | null;
  readonly accepts: readonly PaymentTerm[];
  readonly resource: string | null;
  readonly description: string | null;
  readonly mime_type: string | null;
}

const ACCEPTS_MAX = 50;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A seller's words: one line, nothing invisible, cut to a length. */
export const cleanText = (value: unknown, chars_max = 280): string | null =>
  typeof value === "string" ? cleanForeign(value, chars_max) : null;

function readAmount(value: unknown): string | null {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[1-9]\d{0,30}$/.test(text) ? text : null;
}

function readTerm(value: unknown): PaymentTerm {
  const term = fieldsOf(value);
  const extra = fieldsOf(term.extra);
  const network = cleanText(term.network, 120) ?? "";
  const [name, version] = [cleanText(extra.name, 64), cleanText(extra.version, 16)];
  const timeout = term.maxTimeoutSeconds;
  return {
    scheme: cleanText(term.scheme, 40) ?? "",
    network: findNetwork(network)?.id ?? network,
    amount_atomic: readAmount(term.amount ?? term.maxAmountRequired),
    asset: cleanText(term.asset, 120) ?? "",
    pay_to: cleanText(term.payTo, 120) ?? "",
    timeout_s: typeof timeout === "number" && Number.isFinite(timeout) ? timeout : null,
    resource: cleanText(term.resource, 2_048),
    description: cleanText(term.description),
    mime_type: cleanText(term.mimeType, 80),
    domain: name !== null && version !== null ? { name, version } : null,
    ...(extra.assetTransferMethod === "permit2" ? { is_permit2: true } : {}),
  };
}

/** Terms of a decoded 402; null when it has no list of ways to pay. */
export function readTerms(value: unknown): PaymentTerms | null {
  const body = fieldsOf(value);
  if (!Array.isArray(body.accepts)) return null;
  const accepts = body.accepts.slice(0, ACCEPTS_MAX).map(readTerm);
  const resource = fieldsOf(body.resource);
  const [first] = accepts;
  return {
    version: typeof body.x402Version === "number" ? body.x402Version : null,
    accepts,
    resource: cleanText(resource.url, 2_048) ?? cleanText(body.resource, 2_048) ?? first?.resource ?? null,
    description: cleanText(resource.description) ?? first?.description ?? null,
    mime_type: cleanText(resource.mimeType, 80) ?? first?.mime_type ?? null,
  };
}

/** Whether something is Circle's own USDC on its network. */
export function isUSDC({ network, asset }: Pick<PaymentTerm, "network" | "asset">): boolean {
  const usdc = findUSDC(network);
  return usdc !== undefined && isSameAsset(usdc.asset, asset);
}

/** Whether what is paid on a network is real money: null for a network nobody here knows. */
export function isTestNetwork(network: string): boolean | null {
  return findNetwork(network)?.testnet ?? null;
}

/** Whether an address has the form its network's addresses have. */
export function isPayToValid({ network, pay_to }: PaymentTerm): boolean {
  if (network.startsWith("eip155:")) return isAddress(pay_to);
  if (network.startsWith("solana:")) return isSolanaAddress(pay_to);
  return network.startsWith("algorand:") ? /^[A-Z2-7]{58}$/.test(pay_to) : pay_to !== "";
}
