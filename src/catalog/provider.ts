import type { TObject } from "@sinclair/typebox";
import { declare } from "./definition-site.ts";
import {
  FLAG,
  listOptionFaults,
  maybe,
  NUMBER,
  type OptionRule,
  type OptionRules,
  oneOf,
  RECORD,
  SCHEMA,
  text,
  texts,
} from "./option-rules.ts";
import { listConfigFaults, PROVIDER_KEYS } from "./own-config.ts";
import type { ErrorForm } from "./request.ts";

/** The right to resell what a provider returns. `restricted` needs the operator's own licence (`terms_ack = true`). */
export const TERMS_CLASSES = ["open", "attribution", "unclear", "restricted"] as const;
export type TermsClass = (typeof TERMS_CLASSES)[number];

/** Stretches of time a publisher counts calls in, each from its start in UTC. */
export const QUOTA_PERIODS = ["minute", "hour", "day", "month"] as const;
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number];

export interface ProviderLimits {
  /** Calls per second this node allows itself, and how many it may bunch. */
  readonly rate_per_s: number;
  readonly burst: number;
  /** One attempt's time limit. */
  readonly timeout_ms: number;
  /** Attempts in all, the first included. Only timeouts, 429, 5xx and network errors are tried again. */
  readonly attempts: number;
  /** Counted after decompression; a request may state its own cap. */
  readonly body_bytes_max: number;
  /** Calls (or credits, see a request's `cost`) the publisher allows per period. Spent ones survive a restart. */
  readonly quotas?: Readonly<Partial<Record<QuotaPeriod, number>>>;
}

/** Where the operator's key goes. It is part of no log, no `sources[].url` and no name of a kept answer. */
export interface KeyRule {
  /** A required key that is not configured leaves the provider out. */
  readonly required: boolean;
  /** "body" is a member of the JSON or form body. */
  readonly in: "header" | "query" | "body";
  readonly name: string;
  /** Stands before the key, such as "Bearer ". */
  readonly prefix?: string;
}

/**
 * OAuth 2.0 client credentials (RFC 6749, 4.4) with `client_id` and `client_secret` of `[providers.<id>]`. A token is
 * asked for with the first call, kept until shortly before it expires, and asked for again after a 401.
 */
export interface OAuthRule {
  /** Where tokens are issued: a path below `host`, or below the base address. */
  readonly path: string;
  readonly host?: string;
  readonly scope?: string;
  /** How the client names itself: HTTP Basic, or members of the form. */
  readonly client_in: "basic" | "form";
}

/** One upstream API. Knows nothing of plugins; shared by them. Its config table is `[providers.<id>]`. */
export interface ProviderDefinition<C extends TObject = TObject> {
  /** snake_case; also the config key and the name in `sources[]`. */
  readonly id: string;
  readonly title: string;
  readonly docs_url: string;
  /** Addresses in failover order, without a trailing slash. Empty for chain providers. */
  readonly base_urls: readonly string[];
  /** Further hosts of the same publisher by name, for a request's `host`. They share limits, key and terms. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Chain providers only: default RPC addresses by chain name; `[chains.<name>] rpc` replaces them. */
  readonly chains?: Readonly<Record<string, readonly string[]>>;
  readonly terms: {
    readonly class: TermsClass;
    /** What the terms say, in one sentence, and where that was read. */
    readonly note: string;
    readonly attribution?: { readonly text: string; readonly url: string };
  };
  /** How an API key is sent, if the provider takes one. */
  readonly key?: KeyRule;
  readonly oauth?: OAuthRule;
  /** The publisher wants a contact: `[node] contact_email` is required and appears in the User-Agent. */
  readonly contact?: boolean;
  /**
   * Names of hosts to which a GET may be redirected; an empty list allows other paths of the same origin only. Without
   * the option no redirect is followed. Keys are not sent to another origin.
   */
  readonly redirects?: readonly string[];
  readonly limits: ProviderLimits;
  /** Error bodies it answers any of its requests with, and what they mean; a request's own `errors` come first. */
  readonly errors?: readonly ErrorForm[];
  /**
   * Its own keys in `[providers.<id>]`, beside those that every provider has. Read them with `context.config`. Each
   * is described, and optional or with a default; `secret: true` hides its value wherever it is shown.
   */
  readonly config?: C;
}

const ADDRESSES: OptionRule = {
  what: 'a list of addresses, such as ["https://api.tides.example/v1"]; empty where `chains` names them',
  holds: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};
const ADDRESSES_BY_NAME: OptionRule = {
  what: "lists of addresses by name",
  holds: (value) => RECORD.holds(value) && Object.values(value as object).every(ADDRESSES.holds),
};
const HOSTS: OptionRule = {
  what: "addresses by name",
  holds: (value) => RECORD.holds(value) && Object.values(value as object).every((one) => typeof one === "string"),
};

const PROVIDER_OPTIONS: OptionRules<ProviderDefinition> = {
  id: text("tide_watch"),
  title: text(),
  docs_url: text("https://tides.example/docs"),
  base_urls: ADDRESSES,
  hosts: maybe(HOSTS),
  chains: maybe(ADDRESSES_BY_NAME),
  terms: RECORD,
  key: maybe(RECORD),
  oauth: maybe(RECORD),
  contact: maybe(FLAG),
  redirects: maybe({ ...texts("[]"), what: "a list of names of hosts; it may be empty" }),
  limits: RECORD,
  errors: maybe({ what: "a list of error bodies and what they mean", holds: (value) => Array.isArray(value) }),
  config: maybe(SCHEMA),
};
const TERMS_OPTIONS: OptionRules<ProviderDefinition["terms"]> = {
  class: oneOf(TERMS_CLASSES),
  note: { ...text(), holds: (value) => typeof value === "string" },
  attribution: maybe(RECORD),
};
const KEY_OPTIONS: OptionRules<KeyRule> = {
  required: FLAG,
  in: oneOf(["header", "query", "body"]),
  name: text("x-api-key"),
  prefix: maybe(text("Bearer ")),
};
const OAUTH_OPTIONS: OptionRules<OAuthRule> = {
  path: text("/oauth/token"),
  host: maybe(text()),
  scope: maybe(text()),
  client_in: oneOf(["basic", "form"]),
};
const LIMIT_OPTIONS: OptionRules<ProviderLimits> = {
  rate_per_s: NUMBER,
  burst: NUMBER,
  timeout_ms: NUMBER,
  attempts: NUMBER,
  body_bytes_max: NUMBER,
  quotas: maybe(RECORD),
};

const ID = /^[a-z][a-z0-9_]{1,39}$/;
const HOST_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const REDIRECT_HOST = /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/;

/** Options of a provider that are missing, of the wrong kind, or unknown. */
export const listProviderOptionFaults = (definition: ProviderDefinition) =>
  listOptionFaults([
    { given: definition, rules: PROVIDER_OPTIONS },
    { given: definition?.terms, rules: TERMS_OPTIONS, where: "terms." },
    { given: definition?.key, rules: KEY_OPTIONS, where: "key." },
    { given: definition?.oauth, rules: OAUTH_OPTIONS, where: "oauth." },
    { given: definition?.limits, rules: LIMIT_OPTIONS, where: "limits." },
  ]).all;

/** How a fault names a provider: by its id, if it has one. */
export const nameProvider = (definition: ProviderDefinition): string =>
  typeof definition?.id === "string" ? `provider "${definition.id}"` : "a provider";

/**
 * Declares a provider and checks it.
 * @throws TypeError when an option is missing, unknown or of another kind, or an id, address or limit is unusable.
 */
export function defineProvider<C extends TObject = TObject>(definition: ProviderDefinition<C>): ProviderDefinition<C> {
  const fail = (why: string) => new TypeError(`${nameProvider(definition)}: ${why}`);
  const of_options = listProviderOptionFaults(definition);
  if (of_options.length > 0) throw fail(of_options.join("; "));
  const { id, base_urls, chains, hosts = {}, limits, oauth, redirects = [], config } = definition;
  const [of_config] = config === undefined ? [] : listConfigFaults(config, { taken: PROVIDER_KEYS });
  if (of_config !== undefined) throw fail(of_config);
  if (!ID.test(id)) throw fail("the id must be snake_case, 2-40 characters");
  const urls = [...base_urls, ...Object.values(hosts), ...Object.values(chains ?? {}).flat()];
  if (urls.length === 0) throw fail("has no address");
  for (const url of urls) {
    if (!URL.canParse(url) || url.endsWith("/")) throw fail(`"${url}" is not an address without a trailing slash`);
  }
  for (const name of Object.keys(hosts)) if (!HOST_NAME.test(name)) throw fail(`host "${name}" must be snake_case`);
  if (oauth?.host !== undefined && !Object.hasOwn(hosts, oauth.host)) throw fail(`oauth.host is not one of its hosts`);
  for (const host of redirects) if (!REDIRECT_HOST.test(host)) throw fail(`"${host}" is not the name of a host`);
  const { quotas = {}, ...numbers } = limits;
  for (const [name, value] of Object.entries({ ...numbers, ...quotas })) {
    if (!(value > 0)) throw fail(`limits.${name} must be above 0`);
  }
  return declare(definition);
}
