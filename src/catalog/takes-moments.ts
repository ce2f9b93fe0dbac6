import type { AnyProduct } from "./product.ts";

/**
 * What has no envelope has no data that could be compared; a key is no data, money that left leaves each time, and what
 * holds whole answers of others is compared by asking for each of those.
 */
export const takesSince = ({ form, plan, passed_on, parts, params }: AnyProduct): boolean =>
  form === undefined &&
  plan === undefined &&
  passed_on === undefined &&
  parts === undefined &&
  !Object.hasOwn(params.properties, "since");

/**
 * What can be told as of an earlier time: what is kept for all who ask alike. What is made for one buyer, asks whom he
 * names, or moves his money is his alone.
 */
export const takesAsOf = (product: AnyProduct, ttl_ms: number): boolean =>
  ttl_ms > 0 &&
  product.form === undefined &&
  product.plan === undefined &&
  product.passed_on === undefined &&
  product.stranger_of === undefined &&
  product.uses_payer !== true &&
  !Object.hasOwn(product.params.properties, "as_of");
