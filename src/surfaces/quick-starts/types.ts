import type { SurfaceModel, SurfaceNetwork, SurfaceNode, SurfaceProduct } from "../types.ts";

/** The part of a product that snippets show. */
export type SnippetProduct = Pick<
  SurfaceProduct,
  "id" | "skill_id" | "path" | "url" | "method" | "title" | "price_usd" | "price_atomic" | "example" | "plan"
>;

/** What quick starts are rendered from: a SurfaceModel has it all. */
export interface QuickStartModel extends Pick<SurfaceModel, "sandbox"> {
  readonly node: Pick<SurfaceNode, "name" | "public_url">;
  readonly products: readonly SnippetProduct[];
  readonly networks: readonly Pick<SurfaceNetwork, "network" | "title" | "wallet" | "asset">[];
}

export type SnippetWallet = SurfaceNetwork["wallet"];
export type SnippetLanguage = "sh" | "js" | "json" | "python";

/** A complete program, or a complete configuration, that buys from this node with one stack. */
export interface QuickStart {
  /** Names its page and its file: "x402-fetch-v1". */
  readonly id: string;
  readonly title: string;
  readonly language: SnippetLanguage;
  /** Packages to install. */
  readonly requires: readonly string[];
  /** Environment variables it reads, by name: what they hold. */
  readonly environment: Readonly<Record<string, string>>;
  readonly code: string;
  /** The project's own tests run it. */
  readonly runs: boolean;
  /** A sentence or two for who reads it. */
  readonly note: string;
  /** What one run pays, for people: "0.003 USD", "nothing". */
  readonly pays: string;
}

/** What all snippets of a node have in common. */
export interface Shop {
  readonly origin: string;
  readonly sandbox: boolean;
  /** The product they buy, and the address of one call of it. */
  readonly product: SnippetProduct;
  readonly call_url: string;
  /** The plan they buy, if one is sold. */
  readonly plan: SnippetProduct | null;
  readonly networks: QuickStartModel["networks"];
}

/** Makes a quick start, or null on a node where it has no use. */
export type SnippetMaker = (shop: Shop) => QuickStart | null;
