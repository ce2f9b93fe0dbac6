import type { TSchema } from "@sinclair/typebox";
import { declare, listUnknown } from "./definition-site.ts";

/** The right to resell what a provider returns. `restricted` needs the operator's own licence (`terms_ack = true`). */
export const TERMS_CLASSES = ["open", "attribution", "unclear", "restricted"] as const;
export type TermsClass = (typeof TERMS_CLASSES)[number];

export interface ProviderLimits {
  /** Calls per second this node allows itself, and how many it may bunch. */
  readonly rate_per_s: number;
  readonly burst: number;
  /** One attempt's time limit. */
  readonly timeout_ms: number;
  /** Attempts in all, the first included. Only timeouts, 429, 5xx and network errors are tried again. */
  readonly attempts: number;
  readonly body_bytes_max: number;
}

/** One upstream API. Knows nothing of plugins; shared by them. Its config table is `[providers.<id>]`. */
export interface ProviderDefinition {
  /** snake_case; also the config key and the name in `sources[]`. */
  readonly id: string;
  readonly title: string;
  readonly docs_url: string;
  /** Addresses in failover order, without a trailing slash. Empty for chain providers. */
  readonly base_urls: readonly string[];
  /** Chain providers only: default RPC addresses by chain name; `[chains.<name>] rpc` replaces them. */
  readonly chains?: Readonly<Record<string, readonly string[]>>;
  readonly terms: {
    readonly class: TermsClass;
    /** What the terms say, in one sentence, and where that was read. */
    readonly note: string;
    readonly attribution?: { readonly text: string; readonly url: string };
  };
  /**
   * How an API key is sent, if the provider takes one. A required key that is not configured leaves the provider out.
   */
  readonly key?: { readonly required: boolean; readonly headers: (key: string) => Record<string, string> };
  readonly limits: ProviderLimits;
}

const PROVIDER_OPTIONS: Readonly<Record<keyof ProviderDefinition, true>> = {
  id: true,
  title: true,
  docs_url: true,
  base_urls: true,
  chains: true,
  terms: true,
  key: true,
  limits: true,
};
const TERMS_OPTIONS: Readonly<Record<keyof ProviderDefinition["terms"], true>> = {
  class: true,
  note: true,
  attribution: true,
};
const KEY_OPTIONS: Readonly<Record<keyof NonNullable<ProviderDefinition["key"]>, true>> = {
  required: true,
  headers: true,
};
const LIMIT_OPTIONS: Readonly<Record<keyof ProviderLimits, true>> = {
  rate_per_s: true,
  burst: true,
  timeout_ms: true,
  attempts: true,
  body_bytes_max: true,
};

const ID = /^[a-z][a-z0-9_]{1,39}$/;

/**
 * Declares a provider and checks it.
 * @throws TypeError when the id, an address or a limit is unusable, or an option is not known.
 */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  const { id, base_urls, chains, limits } = definition;
  const fail = (why: string) => new TypeError(`provider "${id}": ${why}`);
  const [unknown] = [
    ...listUnknown(definition, PROVIDER_OPTIONS),
    ...listUnknown(definition.terms, TERMS_OPTIONS, "terms."),
    ...listUnknown(definition.key, KEY_OPTIONS, "key."),
    ...listUnknown(limits, LIMIT_OPTIONS, "limits."),
  ];
  if (unknown) throw fail(unknown);
  if (!ID.test(id)) throw fail("the id must be snake_case, 2-40 characters");
  const urls = [...base_urls, ...Object.values(chains ?? {}).flat()];
  if (urls.length === 0) throw fail("has no address");
  for (const url of urls) {
    if (!URL.canParse(url) || url.endsWith("/")) throw fail(`"${url}" is not an address without a trailing slash`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (!(value > 0)) throw fail(`limits.${name} must be above 0`);
  }
  return declare(definition);
}

/** One call to a provider. The answer must match `schema`; anything else is `upstream_bad_response`. */
export interface UpstreamRequest<S extends TSchema> {
  /** Path and query below the base address, starting with "/"; "" for chain providers. Never holds a secret. */
  readonly path: string;
  /** Chain providers: which `[chains.<name>]`. */
  readonly chain?: string;
  /** JSON body; its presence makes the call a POST. */
  readonly body?: unknown;
  /** "json" by default; "text" hands the whole body over as a string. */
  readonly format?: "json" | "text";
  readonly schema: S;
  /** How long an answer may be used again; 0 = not at all. */
  readonly ttl_ms: number;
  /** Overrides the provider's time limit of one attempt. */
  readonly timeout_ms?: number;
  /** What has to be named beside what this call returns, where that is not `terms.attribution`. */
  readonly attribution?: { readonly text: string; readonly url: string };
  /** A second look at a well-shaped answer (units, staleness, error members): the reason to refuse it, or undefined. */
  readonly refuse?: (value: unknown) => string | undefined;
}
