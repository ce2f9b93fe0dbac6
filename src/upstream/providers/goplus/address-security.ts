import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { goplus } from "./provider.ts";

/** What GoPlus may call an address. An empty text is no opinion, never "no". */
export const ADDRESS_LABELS = [
  ...["cybercrime", "money_laundering", "financial_crime", "darkweb_transactions", "phishing_activities"],
  ...["blackmail_activities", "stealing_attack", "sanctioned", "mixer", "honeypot_related_address"],
  ...["malicious_mining_activities", "fake_kyc", "gas_abuse", "reinit", "blacklist_doubt"],
] as const;

export interface AddressSecurity {
  /** By label; null where GoPlus has no opinion. */
  readonly labels: Readonly<Record<string, boolean | null>>;
  readonly malicious_contracts: number | null;
}

const Answer = Type.Object({
  code: Type.Integer(),
  message: Type.Optional(Type.String()),
  result: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
});
const TTL_MS = 60_000;
const toFlag = (value: unknown): boolean | null => (value === "1" ? true : value === "0" ? false : null);

/**
 * GoPlus' opinion of an EVM address.
 * @throws UpstreamError; code 4029, too many calls, among them.
 */
export function fetchAddressSecurity(
  context: Pick<FetchContext, "get">,
  { address, chain_id = 1 }: { readonly address: string; readonly chain_id?: number },
): Promise<AddressSecurity> {
  return context.get(goplus, {
    path: `/address_security/${address.toLowerCase()}?chain_id=${chain_id}`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ code, result }) {
      if (code !== 1 || !result) return unusable(`code ${code}`);
      const labels = Object.fromEntries(ADDRESS_LABELS.map((label) => [label, toFlag(result[label])]));
      if (Object.values(labels).every((one) => one === null)) return unusable("no opinion on anything");
      const made = result.number_of_malicious_contracts_created;
      return { labels, malicious_contracts: typeof made === "string" && /^\d{1,6}$/.test(made) ? Number(made) : null };
    },
  });
}
