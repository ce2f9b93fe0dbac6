import type { ProviderDefinition, QuotaPeriod, TermsClass } from "../catalog/provider.ts";

/** What the operator set in `[providers.<id>]`. */
export interface ProviderSettings {
  readonly enabled: boolean;
  /** Why it is switched off whatever its table says. */
  readonly switched_off?: string;
  /** Replaces the provider's own addresses. */
  readonly base_url?: string;
  /** Replaces an address of the provider's named hosts. */
  readonly host_url?: (host: string) => string | undefined;
  readonly api_key?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The operator states that he holds the right to resell. */
  readonly terms_ack: boolean;
  readonly rate_per_s?: number;
  /** Replace the provider's own quotas, one by one: the operator's plan may allow more. */
  readonly quotas?: Readonly<Partial<Record<QuotaPeriod, number>>>;
  readonly timeout_ms?: number;
}

/**
 * Why the configuration does not allow a provider, as a text that names the key to set; null when it does.
 * A restricted provider needs its own acknowledgement: `allow_terms` cannot give it for all of them at once.
 */
export function whyNotUsable(
  provider: ProviderDefinition,
  settings: ProviderSettings,
  { allow_terms, contact }: { readonly allow_terms: readonly TermsClass[]; readonly contact: string | undefined },
): string | null {
  const table = `[providers.${provider.id}]`;
  const terms = provider.terms.class;
  if (settings.switched_off !== undefined) return settings.switched_off;
  if (!settings.enabled) return `switched off: ${table} enabled = false`;
  if (!settings.terms_ack && terms === "restricted") {
    return `terms restricted: set ${table} terms_ack = true if you hold a licence`;
  }
  if (!settings.terms_ack && !allow_terms.includes(terms)) {
    return `terms ${terms}: add "${terms}" to [providers] allow_terms, or set ${table} terms_ack = true`;
  }
  if (provider.key?.required && !settings.api_key) return `needs ${table} api_key`;
  if (provider.oauth && !(settings.client_id && settings.client_secret)) {
    return `needs ${table} client_id and client_secret`;
  }
  if (provider.contact && contact === undefined)
    return "needs [node] contact_email: its publisher asks whom to write to";
  return null;
}
