import { type FetchContext, outcomeOf } from "intel-node";
import { type AddressSecurity, fetchAddressSecurity } from "intel-node/providers/goplus/address-security";
import { goplus } from "intel-node/providers/goplus/provider";
import type { WalletAddress } from "../addresses/address.ts";
import { findListedWallets, openLists } from "../lists/sanction-lists.ts";
import type { Screen } from "../wallet-scan/schema.ts";
import { rememberAdverse } from "./adverse.ts";
import { type ChainFlags, fetchChainFlags, isOracleListed, listFrozen } from "./oracle.ts";

export type ScreenStatus = Screen["status"];

/** What is known against a wallet, each part null when it could not be asked. */
export interface WalletScreens {
  /** Lists with the wallet; null when a list is missing or old and the others do not have it. */
  readonly listed: readonly string[] | null;
  /** Whether OFAC's list, the essential one, could be relied on. */
  readonly is_ofac_fresh: boolean;
  /** Null for Solana. */
  readonly flags: ChainFlags | null;
  /** GoPlus' labels that are true, with those it said within a day; null when it has no opinion. */
  readonly labels: readonly string[] | null;
  readonly malicious_contracts: number | null;
  /** Counterparties on a list; null when no transactions or no lists are known. */
  readonly listed_counterparties: readonly { readonly address: string; readonly list: string }[] | null;
}

const labelsOf = ({ labels }: AddressSecurity): readonly string[] =>
  Object.entries(labels)
    .filter(([, is_true]) => is_true === true)
    .map(([label]) => label);

async function fetchLabels(context: FetchContext, { kind, address }: WalletAddress) {
  if (kind !== "evm" || !context.usable(goplus)) return { labels: null, malicious_contracts: null };
  const read = await outcomeOf(fetchAddressSecurity(context, { address }));
  const said = read.ok ? labelsOf(read.value) : null;
  const findings = await rememberAdverse(context, { subject: address, source: "goplus", said });
  const known = findings.map(({ finding }) => finding);
  // A label without an opinion beside it leaves the screen open.
  const is_whole = read.ok && Object.values(read.value.labels).every((one) => one !== null);
  return {
    labels: is_whole || known.length > 0 ? known : null,
    malicious_contracts: read.ok ? read.value.malicious_contracts : null,
  };
}

/** Asks lists, oracle, issuers and GoPlus about a wallet, and the lists about whom it dealt with. */
export async function screenWallet(
  context: FetchContext,
  wallet: WalletAddress,
  counterparties: Promise<readonly string[] | null>,
): Promise<WalletScreens> {
  const lists = await openLists(context);
  const is_whole = lists.every(({ fault }) => fault === null);
  const [rows, flags, opinion, others] = await Promise.all([
    findListedWallets(lists, [wallet.address]),
    wallet.kind === "evm" ? fetchChainFlags(context, wallet.address) : null,
    fetchLabels(context, wallet),
    counterparties,
  ]);
  const near = others === null ? null : await findListedWallets(lists, others);
  return {
    listed: rows.length > 0 ? [...new Set(rows.map(({ list }) => list))] : is_whole ? [] : null,
    is_ofac_fresh: lists.some(({ id, fault }) => id === "ofac_sdn" && fault === null),
    flags,
    ...opinion,
    listed_counterparties:
      near && (near.length > 0 || is_whole) ? near.map(({ list, row }) => ({ address: row.name, list })) : null,
  };
}

const screenOf = (id: string, provider: string, [status, detail]: readonly [ScreenStatus, string]): Screen => ({
  id,
  provider,
  status,
  detail,
});

/** Labels that alone keep anybody away from a wallet. */
export const BLOCK_LABELS: readonly string[] = [
  ...["sanctioned", "stealing_attack", "phishing_activities", "cybercrime", "money_laundering", "financial_crime"],
  ...["blackmail_activities", "darkweb_transactions"],
];

function describeFreeze(flags: ChainFlags): readonly [ScreenStatus, string] {
  const { tokens, is_whole } = listFrozen(flags);
  if (tokens.length > 0) return ["hit", `frozen: ${tokens.join(", ")}`];
  return is_whole ? ["clear", "USDC and USDT are not frozen"] : ["unknown", "an issuer could not be asked"];
}

/** The screens as an answer shows them. */
export function describeScreens(screens: WalletScreens): readonly Screen[] {
  const { listed, flags, labels, listed_counterparties: near } = screens;
  const oracle = flags && isOracleListed(flags);
  return [
    screenOf(
      ...(["S1", "sanctions lists"] as const),
      listed === null
        ? ["unknown", "a list is missing or old"]
        : listed.length > 0
          ? ["hit", listed.join(", ")]
          : ["clear", "in no list"],
    ),
    screenOf(
      ...(["S2", "sanctions oracle"] as const),
      flags === null
        ? ["not_applicable", "EVM only"]
        : oracle === null
          ? ["unknown", "an oracle could not be asked"]
          : [oracle ? "hit" : "clear", oracle ? "sanctioned" : "not sanctioned"],
    ),
    screenOf(
      ...(["S3", "goplus"] as const),
      flags === null
        ? ["not_applicable", "EVM only"]
        : labels === null
          ? ["unknown", "no opinion"]
          : [labels.length > 0 ? "hit" : "clear", labels.join(", ") || "no label"],
    ),
    screenOf(
      ...(["S5", "sanctions lists"] as const),
      near === null
        ? ["unknown", "counterparties or lists are not known"]
        : [near.length > 0 ? "hit" : "clear", near.map(({ address }) => address).join(", ") || "none is listed"],
    ),
    screenOf("S6", "issuers", flags === null ? ["not_applicable", "EVM only"] : describeFreeze(flags)),
  ];
}
