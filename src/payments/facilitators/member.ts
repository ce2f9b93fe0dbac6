import { familyOf } from "../networks/families.ts";
import { type Network, networkById } from "../networks/table.ts";
import { UPTO } from "../upto/contract.ts";
import type { Facilitator, PaymentToSettle, Supported, SupportedKind } from "./types.ts";

/** Calls on one network in a row that got no answer: then others are asked first. */
export const SILENCES_MAX = 5;
/** The operator is warned earlier: where one buyer comes an hour, five would take five hours. */
export const SILENCES_WARNED = 2;

/** One facilitator of the pool, and what is known of it now. */
export interface PoolMember {
  readonly facilitator: Facilitator;
  /** Networks the operator uses it for; null is all. */
  readonly networks: readonly string[] | null;
  /** Calls in a row that got no answer, by network: one network's trouble is not another's. */
  readonly silences: Map<string, number>;
  supported: Supported;
  alive: boolean;
  last_check_ms: number | null;
  last_error: string | null;
  pause_ms: number;
  /** Looks at its /supported in a row that failed. */
  failed_looks: number;
  /** When a call without an answer last made it asked for its /supported, by the timers' clock. */
  suspected_ms: number;
  /** Cancels its next check. */
  cancelCheck: () => void;
}

export const createMember = (
  { facilitator, networks }: Pick<PoolMember, "facilitator" | "networks">,
  pause_ms: number,
): PoolMember => ({
  facilitator,
  networks,
  silences: new Map(),
  supported: { kinds: [], signers: {} },
  alive: false,
  last_check_ms: null,
  last_error: null,
  pause_ms,
  failed_looks: 0,
  suspected_ms: Number.NEGATIVE_INFINITY,
  cancelCheck: () => undefined,
});

/** Whether the operator uses it on a network. */
export const isUsedFor = ({ networks }: Pick<PoolMember, "networks">, network: string): boolean =>
  networks === null || networks.some((id) => networkById(id)?.id === network);

/** Its kinds for a network, whichever spelling of the id they use, if the operator uses it there. */
const kindsOf = (member: PoolMember, network: string, scheme: string): readonly SupportedKind[] =>
  isUsedFor(member, network)
    ? member.supported.kinds.filter((kind) => kind.scheme === scheme && networkById(kind.network)?.id === network)
    : [];

const unusableWhy = (network: string, { extra }: SupportedKind): string | null => {
  const known = networkById(network);
  return known ? (familyOf(known).whyUnusable?.(extra) ?? null) : null;
};

/** Kinds that were looked for, by network, in what a member supported then. */
interface KnownKinds {
  readonly supported: Supported;
  readonly kinds: Map<string, SupportedKind | undefined>;
}
const known_kinds = new WeakMap<PoolMember, KnownKinds>();
const NETWORKS_MAX = 100;

/** Its kind that settles a network for buyers as they are. Every payment asks some ten times. */
export function kindOf(member: PoolMember, network: string, scheme: string = "exact"): SupportedKind | undefined {
  const { supported } = member;
  let known = known_kinds.get(member);
  if (known?.supported !== supported) {
    known = { supported, kinds: new Map() };
    known_kinds.set(member, known);
  }
  const { kinds } = known;
  const name = scheme === "exact" ? network : `${scheme} ${network}`;
  const found = kinds.get(name);
  if (found !== undefined || kinds.has(name)) return found;
  const kind = kindsOf(member, network, scheme).find((one) => unusableWhy(network, one) === null);
  if (kinds.size < NETWORKS_MAX) kinds.set(name, kind);
  return kind;
}

/** Why the kind it does list for a network is of no use. */
export const whyNoKind = (member: PoolMember, network: string): string | undefined =>
  kindsOf(member, network, "exact").flatMap((kind) => unusableWhy(network, kind) ?? [])[0];

/** Its accounts on a network, and the one its kind names; none where fees are no part of a payment. */
export const feePayersOf = (member: PoolMember, network: Network): readonly string[] =>
  accountsOf(member, network, kindOf(member, network.id)?.extra.feePayer);

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The same of those that may be named to take less than what was signed. */
export function uptoAddressesOf(member: PoolMember, network: Network): readonly string[] {
  const named = kindOf(member, network.id, UPTO)?.extra.facilitatorAddress;
  return accountsOf(member, network, named).filter((address) => ADDRESS.test(address));
}

function accountsOf(member: PoolMember, network: Network, named: unknown): readonly string[] {
  if (typeof named !== "string") return [];
  const family = network.id.slice(0, network.id.indexOf(":"));
  const ids = [network.id, ...(network.aliases ?? [])];
  const { signers } = member.supported;
  return [...new Set([named, ...[`${family}:*`, ...ids].flatMap((id) => signers[id] ?? [])])];
}

/** Whether it can settle this very payment: one that names an account to pay the fee needs that account's owner. */
export function canSettle(member: PoolMember, { requirement, fee_payer, authorizer }: PaymentToSettle): boolean {
  const network = networkById(requirement.network);
  const kind = network && kindOf(member, network.id, requirement.scheme);
  if (!network || !kind) return false;
  if (authorizer !== undefined) return isAuthorizer(kind, authorizer);
  if (requirement.scheme === UPTO) {
    return uptoAddressesOf(member, network).some((address) => address.toLowerCase() === fee_payer);
  }
  return fee_payer === null || feePayersOf(member, network).includes(fee_payer);
}

const isAuthorizer = ({ extra }: SupportedKind, address: string): boolean =>
  typeof extra.receiverAuthorizer === "string" && extra.receiverAuthorizer.toLowerCase() === address.toLowerCase();

/** The payment as sent to this facilitator: our own requirement, with its account, its spelling of the network. */
export function addressTo(member: PoolMember, payment: PaymentToSettle): PaymentToSettle {
  const { requirement, fee_payer } = payment;
  const network = kindOf(member, requirement.network, requirement.scheme)?.network ?? requirement.network;
  const is_upto = requirement.scheme === UPTO;
  const names_payer = !is_upto && fee_payer !== null && requirement.extra.feePayer !== fee_payer;
  // The same object, where nothing has to be said otherwise: it is written as text once.
  if (network === requirement.network && !names_payer) return payment;
  const extra = names_payer ? { ...requirement.extra, feePayer: fee_payer } : requirement.extra;
  const { signed_for } = payment;
  const as_signed = signed_for === undefined ? {} : { signed_for: { ...signed_for, network } };
  return { ...payment, ...as_signed, requirement: { ...requirement, network, extra } };
}

/** Whether it has been silent for so long on a network that others are asked first. */
export const isSilent = ({ silences }: PoolMember, network: string): boolean =>
  (silences.get(network) ?? 0) >= SILENCES_MAX;
