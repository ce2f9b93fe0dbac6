import type { TSchema } from "@sinclair/typebox";
import { renderTime } from "../core/clock.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { ParsedParams } from "./params.ts";
import { listValues } from "./tiers.ts";

/** How an answer as of an earlier time was made. */
export interface PointInTime {
  /** The time that was asked for, ISO 8601 UTC. */
  readonly as_of: string;
  /** When it was made first: nothing in it was learnt later. */
  readonly made_at: string;
  /** SHA-256 of the answer as it was made then, and of what it was made of. */
  readonly answer_sha256: string;
  readonly inputs_sha256: string;
}

/** Longer texts may be an address, a name or somebody's own words. */
const PUBLIC_CHARS_MAX = 20;

const isPublicValue = (schema: TSchema | undefined, value: unknown): boolean =>
  typeof value !== "string" ||
  value === schema?.default ||
  listValues(schema).includes(value) ||
  (schema?.maxLength ?? Number.POSITIVE_INFINITY) <= PUBLIC_CHARS_MAX;

/**
 * Whether a question reveals nothing about who asked it. That somebody asked about a wallet last week is private,
 * and an answer as of then, or its absence, would reveal it.
 */
export function isPublicQuestion(product: CatalogProduct, { params, key }: ParsedParams): boolean {
  const { properties } = product.definition.params as { readonly properties: Readonly<Record<string, TSchema>> };
  const is_plain = Object.entries(params).every(([name, value]) => isPublicValue(properties[name], value));
  return is_plain || product.previewRequests().some((request) => request.key === key);
}

/** An answer's text with how it came to be. */
export const addPointInTime = (body: string, point_in_time: PointInTime): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), point_in_time });

/** Whether an answer would still have been sold at a time: young enough by the product's own rules. */
export function wasSold(
  { ttl_ms, max_age_ms }: Pick<CatalogProduct, "ttl_ms" | "max_age_ms">,
  { at_ms, made_at_ms, as_of_ms }: { readonly at_ms: number; readonly made_at_ms: number; readonly as_of_ms: number },
): boolean {
  if (at_ms < made_at_ms) return false;
  return at_ms - made_at_ms < ttl_ms || (max_age_ms !== null && at_ms - as_of_ms <= max_age_ms);
}

export const renderSpan = (first_ms: number, last_ms: number): string =>
  `${renderTime(first_ms)} to ${renderTime(last_ms)}`;
