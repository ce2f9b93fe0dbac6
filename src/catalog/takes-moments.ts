import type { AnyProduct } from "./product.ts";

/**
 * An answer without an envelope has no data to compare; a key is not data, a payment that was forwarded leaves each
 * time, and an answer that contains whole answers of others is compared by asking for each of those.
 */
export const takesSince = ({ form, plan, passed_on, parts, params }: AnyProduct): boolean =>
  form === undefined &&
  plan === undefined &&
  passed_on === undefined &&
  parts === undefined &&
  !Object.hasOwn(params.properties, "since");

/**
 * What can be answered as of an earlier time: answers that are kept for all callers alike. An answer made for one
 * buyer, from sources he names, or by moving his money is his alone.
 */
export const takesAsOf = (product: AnyProduct, ttl_ms: number): boolean =>
  ttl_ms > 0 &&
  product.form === undefined &&
  product.plan === undefined &&
  product.passed_on === undefined &&
  product.stranger_of === undefined &&
  product.uses_payer !== true &&
  !Object.hasOwn(product.params.properties, "as_of");
