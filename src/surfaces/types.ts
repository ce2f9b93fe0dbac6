import type { TObject, TSchema } from "@sinclair/typebox";
import type { ToldGist } from "../catalog/gist.ts";
import type { Plan } from "../catalog/plan.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { MeteringText } from "../core/metering.ts";

/** One `accepts[]` entry as buyers are shown it. */
export interface PublishedRequirement {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What the 402 header of a product says, whole: every surface that shows how to pay takes it from here. */
export interface PublishedChallenge {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: Readonly<Record<string, unknown>> & { readonly url: string };
  readonly accepts: readonly PublishedRequirement[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** One way to pay by MPP, as its discovery draft names it. */
export interface PublishedMppOffer {
  readonly method: string;
  readonly intent: string;
  /** In the smallest unit of the currency. */
  readonly amount: string;
  readonly currency: string;
}

/** Another price of a product. */
export interface PriceTier {
  readonly param: string;
  readonly value: string;
  readonly price_usd: string;
  readonly price_atomic: string;
}

/** How a product is watched. */
export interface WatchTerms {
  /** What an evaluation costs that tells nothing, USD. */
  readonly idle_usd: string;
  /** A period to begin with, such as "1h". */
  readonly every: string;
  readonly budget_usd: string;
}

/** A product as every surface sees it. */
export interface SurfaceProduct {
  /** "fear-greed": the path without its slash. */
  readonly id: string;
  /** "fear_greed": what MCP tools, A2A skills and OpenAPI operations are called. */
  readonly skill_id: string;
  readonly path: string;
  readonly url: string;
  readonly methods: readonly ("GET" | "POST")[];
  /** The first of them. */
  readonly method: "GET" | "POST";
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** Older paths of it. */
  readonly aliases?: readonly string[];
  /** What buyers call it, in any language: words and short questions. */
  readonly search?: readonly string[];
  readonly price_usd: string;
  readonly price_atomic: string;
  /** What keys and channels are charged by instead, where the operator meters. */
  readonly metering?: MeteringText | undefined;
  /** Other prices, by the value of one parameter; the description names them, too. */
  readonly tiers?: readonly PriceTier[];
  /** How the price of a call follows from its parameters; `price_usd` is then the lowest one. */
  readonly priced_by?: string | undefined;
  readonly params: TObject;
  /** Of the answer's data; of the whole answer where `is_bare`. */
  readonly data: TSchema;
  /** Dotted names of the data's long tables, which `view=brief` leaves out. */
  readonly long?: readonly string[] | undefined;
  /** What a call gets that says nothing of `view`; default: the whole. Then `data` does not promise the long tables. */
  readonly usual_view?: "brief" | "full" | undefined;
  /** Its data has a text in Markdown, which `format=md` gives alone. */
  readonly has_markdown?: boolean;
  /** It may be asked for what changed since an earlier answer. */
  readonly takes_since?: boolean;
  /** It may be asked for its answer as of an earlier time. */
  readonly takes_as_of?: boolean;
  /** Null or undefined where it cannot be watched. */
  readonly watch?: WatchTerms | null;
  /** Its answers have a form of their own instead of the envelope. */
  readonly is_bare?: boolean;
  readonly example: {
    readonly params: Readonly<Record<string, unknown>>;
    readonly as_of: string;
    readonly data: unknown;
  };
  /** What the answer of the example says in short; null where answers have no `text`. */
  readonly gist?: ToldGist | null;
  readonly preview_delay_s: number;
  /** What its free previews are of; the first is shown to a call that names no parameters. */
  readonly previews_of: readonly [Readonly<Record<string, unknown>>, ...Readonly<Record<string, unknown>>[]];
  readonly ttl_s: number;
  /** Older data is refused uncharged; null where only its parts have limits. */
  readonly max_age_s: number | null;
  /** ISO 8601: it has no data before; null when it has. */
  readonly available_from: string | null;
  /** Set on what is bought to pay later calls. */
  readonly plan: Plan | null;
  /** Upstreams it may use here: licensed, and configured where they need to be. */
  readonly providers: readonly ProviderDefinition[];
  readonly challenge: PublishedChallenge;
  /** The same for clients of MPP; empty where nothing can be paid so. */
  readonly mpp: readonly PublishedMppOffer[];
}

/** A network that can be paid on now. */
export interface SurfaceNetwork {
  /** CAIP-2, in the spelling buyers are shown. */
  readonly network: string;
  readonly title: string;
  readonly wallet: "base" | "solana" | "algorand";
  readonly asset: string;
  readonly pay_to: string;
}

/** A path that costs nothing. */
export interface FreeEndpoint {
  readonly path: string;
  readonly methods: readonly ("GET" | "POST" | "DELETE")[];
  /** One line. */
  readonly summary: string;
  readonly content_type: string;
  /** Query parameters, by name: what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  /** A body that its POST takes. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** It needs a key, an id or a body: a plain GET of it answers with an error. */
  readonly asks?: true;
  /** A wallet signs in for it: a plain GET is answered with what to sign. */
  readonly signs_in?: true;
}

/** A statement that a receiving wallet belongs to this node. */
export interface WalletClaimView {
  readonly network: string;
  readonly wallet: "base" | "solana" | "algorand";
  readonly address: string;
  readonly status: "proven" | "unproven" | "expired";
  readonly method?: string;
  readonly statement?: string;
  readonly signature?: string;
  readonly issued_at?: string;
  readonly expires_at?: string;
}

/** A key the node signed with before. */
export interface RetiredKey {
  /** Fragment of its id: "node-1". */
  readonly name: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
  readonly retired_at: string;
  /** Somebody else may sign with it: what it signed proves nothing any more. */
  readonly compromised: boolean;
}

export interface SurfaceNode {
  readonly name: string;
  readonly brand: string;
  readonly version: string;
  /** Without a slash at its end; every absolute URL begins with it. */
  readonly public_url: string;
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
  /** Fragment of the present key's id: "node-1". */
  readonly key_name: string;
  readonly retired_keys: readonly RetiredKey[];
  readonly contact_email: string | null;
  readonly security_contact: string | null;
  /** Signs bytes with the node's key: base64url. */
  readonly sign: (message: Uint8Array) => string;
}

/** Everything a surface is rendered from. Made anew when catalog, networks or wallets change; never per request. */
export interface SurfaceModel {
  readonly node: SurfaceNode;
  readonly sandbox: boolean;
  /** Whether every facilitator was asked and one answered: before, networks come one by one, if any. */
  readonly settled: boolean;
  readonly now_ms: number;
  /** On sale, sorted by path; plans among them. */
  readonly products: readonly SurfaceProduct[];
  /** Ids of skills that are switched off: on no list, and no mistake in a request that names them. */
  readonly off_skill_ids?: readonly string[];
  readonly networks: readonly SurfaceNetwork[];
  /** Address of the first live facilitator; null when no facilitator is live. */
  readonly facilitator_url: string | null;
  readonly free: readonly FreeEndpoint[];
  readonly wallets: readonly WalletClaimView[];
  /** Signatures over the bare origin, Base and Solana, as x402scan checks them. */
  readonly origin_signatures: readonly string[];
  readonly rate_limits: Readonly<Record<string, unknown>>;
  /** The line by which the MCP registry knows this host. */
  readonly mcp_registry_auth?: string | undefined;
  /**
   * Time of the last change of the manifest with this digest, Unix seconds: remembers digest and time, so that a
   * restart alone changes nothing.
   */
  readonly changedAt: (digest: string) => number;
}

export interface Rendered {
  readonly content_type: string;
  readonly body: string | Uint8Array;
  /** Besides ETag, Cache-Control and what every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A free document that follows from the catalog. Each file `src/surfaces/<name>.surface.ts` exports `surface` or
 * `surfaces`; `bun run gen` finds them, so adding one touches nothing else.
 */
export interface Surface {
  readonly path: `/${string}`;
  /** One line, for the lists of free paths. */
  readonly summary: string;
  /** Of the default form. */
  readonly content_type: string;
  /** Query parameters it knows, by name: what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  /** Left out of every list and answered 404 while this says no. Default: always there. */
  readonly isServed?: (model: SurfaceModel) => boolean;
  /**
   * Its forms, rendered once per catalog load: the first is the default, the others are chosen by `Accept`. Pure.
   */
  readonly render: (model: SurfaceModel) => Rendered | readonly Rendered[];
  /**
   * For a call whose query names one of `query`: what to answer instead, or null for the default.
   * @throws NodeError invalid_parameter
   */
  readonly answer?: (query: URLSearchParams, model: SurfaceModel) => Rendered | null;
}

/** Declares a surface; only fixes the types. */
export const defineSurface = (surface: Surface): Surface => Object.freeze(surface);

/** A JSON document. */
export const json = (value: unknown): Rendered => ({
  content_type: "application/json",
  body: JSON.stringify(value),
});
