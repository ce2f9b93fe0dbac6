import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { BazaarDetail } from "./bazaar-detail.ts";

/** What an extension says: `info`, and the JSON Schema of it, which the specification asks for beside it. */
export interface ExtensionContent {
  readonly info: object;
  readonly schema: object;
}

/** What the extensions of one 402 speak of. */
export interface ChallengeSubject {
  readonly product: CatalogProduct;
  /** Where a key is bought that pays for calls; null or left out where no key is sold. */
  readonly prepay_url?: string | null | undefined;
  /** The signed form of `accepts`; left out where nothing is signed. */
  readonly signed_offers?: ExtensionContent | undefined;
}

/** How much there is room for: the body says all, headers less and less. */
export interface Room {
  /** How much is said of calling the product; "none" leaves it out. */
  readonly detail: BazaarDetail | "none";
  /** Whether schemas that clients know are left out. */
  readonly is_brief?: boolean;
  /** Whether only what this very payment needs is said, and no other way to pay. */
  readonly is_lean?: boolean;
}

/** The schema of a short header, which has no room for more: `info` may hold anything. The body has it whole. */
export const BRIEF_SCHEMA = {} as const;

/** One member of `extensions` of a product's 402. */
export interface ChallengeExtension {
  /** Its name on the wire. */
  readonly name: string;
  /** @returns what it says where there is so much room; null for nothing. */
  readonly describe: (subject: ChallengeSubject) => (room: Room) => ExtensionContent | null;
  /** As it goes to a facilitator with a payment for the product; left out if facilitators do not get it. */
  readonly forward?: (product: CatalogProduct) => ExtensionContent;
}
