import type { ProviderDefinition, QuotaPeriod, TermsClass } from "../catalog/provider.ts";
import type { WhyWithheld } from "../catalog/why-withheld.ts";

/** The operator's settings in `[providers.<id>]`. */
export interface ProviderSettings {
  readonly enabled: boolean;
  /** The reason why it is switched off regardless of its table. */
  readonly switched_off?: WhyWithheld;
  /** Replaces the provider's own addresses. */
  readonly base_url?: string;
  /** Replaces an address of the provider's named hosts. */
  readonly host_url?: (host: string) => string | undefined;
  readonly api_key?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  /** Whether the operator states to hold the right to resell. */
  readonly terms_ack: boolean;
  readonly rate_per_s?: number;
  /** Replace the provider's own quotas, one by one: the operator's plan may allow more. */
  readonly quotas?: Readonly<Partial<Record<QuotaPeriod, number>>>;
  readonly timeout_ms?: number;
}

/** The reason why a chain is not read. */
export const toNoChain = (chain: string): WhyWithheld => ({
  why: `needs [chains.${chain}] rpc`,
  for_buyers: `this node reads nothing of ${chain}`,
});

const NOT_READ = "is no source of this node";
const NOT_LICENSED = "may not be sold on by this node";

/**
 * The reason why the configuration does not allow a provider; null if it does.
 * A restricted provider needs its own acknowledgement: `allow_terms` cannot give it for all of them at once.
 */
export function whyNotUsable(
  provider: ProviderDefinition,
  settings: ProviderSettings,
  { allow_terms, contact }: { readonly allow_terms: readonly TermsClass[]; readonly contact: string | undefined },
): WhyWithheld | null {
  const table = `[providers.${provider.id}]`;
  const terms = provider.terms.class;
  const tell = (why: string, for_buyers: string): WhyWithheld => ({
    why,
    for_buyers: `${provider.title} ${for_buyers}`,
  });
  if (settings.switched_off !== undefined) return settings.switched_off;
  if (!settings.enabled) return tell(`switched off: ${table} enabled = false`, NOT_READ);
  if (!settings.terms_ack && terms === "restricted") {
    return tell(`terms restricted: set ${table} terms_ack = true if you hold a licence`, NOT_LICENSED);
  }
  if (!settings.terms_ack && !allow_terms.includes(terms)) {
    const why = `terms ${terms}: add "${terms}" to [providers] allow_terms, or set ${table} terms_ack = true`;
    return tell(why, NOT_LICENSED);
  }
  if (provider.key?.required && !settings.api_key) return tell(`needs ${table} api_key`, NOT_READ);
  if (provider.oauth && !(settings.client_id && settings.client_secret)) {
    return tell(`needs ${table} client_id and client_secret`, NOT_READ);
  }
  if (provider.contact && contact === undefined) {
    return tell("needs [node] contact_email: its publisher asks whom to write to", NOT_READ);
  }
  return null;
}
