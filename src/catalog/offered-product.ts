import type { TSchema } from "@sinclair/typebox";
import type { OfferedValues, Offering, WithheldValue } from "./offering.ts";
import type { AnyProduct } from "./product.ts";
import { listValues } from "./tiers.ts";
import { joinReasons, toWhyWithheld, type WhyWithheld } from "./why-withheld.ts";

/** What is wrong with `offers`, in words. */
export function listOfferFaults({ offers = {}, params }: AnyProduct): readonly string[] {
  return Object.entries(offers as Readonly<Record<string, OfferedValues>>).flatMap(([name, offered]) => {
    const schema: TSchema | undefined = params?.properties?.[name];
    if (schema === undefined) return [`offers: there is no parameter "${name}"`];
    if (typeof offered?.whyNot !== "function") return [`offers.${name}: whyNot is needed`];
    return valuesOf(schema, offered).length > 0 ? [] : [`offers.${name}: its values are not listed`];
  });
}

const valuesOf = (schema: TSchema, { values }: OfferedValues): readonly string[] => values ?? listValues(schema);

/** Values that depend on the configuration and are sold, as "/world-quote?market=TSE". */
export const listSoldValues = ({ path, offers = {}, params }: AnyProduct, node: Offering): readonly string[] =>
  Object.entries(offers as Readonly<Record<string, OfferedValues>>).flatMap(([param, offered]) =>
    valuesOf(params.properties[param], offered)
      .filter((value) => offered.whyNot(value, node) === null)
      .map((value) => `${path}?${param}=${value}`),
  );

/** A product as this node sells it. */
export interface OfferedProduct {
  readonly product: AnyProduct;
  readonly withheld: readonly WithheldValue[];
  /** Why it is not sold at all: not one value is left of a parameter. */
  readonly why: WhyWithheld | null;
  /** Why a value is not sold; null when it is, or means nothing. */
  whyNot(param: string, value: unknown): WhyWithheld | null;
}

/** Takes what cannot be sold out of everything public: schema, default, example, previews and prices by value. */
export function offerProduct(product: AnyProduct, node: Offering): OfferedProduct {
  const offers = Object.entries((product.offers ?? {}) as Readonly<Record<string, OfferedValues>>);
  const withheld: WithheldValue[] = [];
  let why: WhyWithheld | null = null;
  const properties: Record<string, TSchema> = { ...product.params.properties };
  let told: Partial<Pick<AnyProduct, "title" | "description">> = {};
  for (const [param, offered] of offers) {
    const schema = properties[param] as TSchema;
    const values = valuesOf(schema, offered);
    const refused = values.flatMap((value) => {
      const reason = offered.whyNot(value, node);
      return reason === null ? [] : [{ path: product.path, param, value, ...toWhyWithheld(reason) }];
    });
    if (refused.length === 0) continue;
    withheld.push(...refused);
    const left = values.filter((value) => !refused.some((one) => one.value === value));
    if (left.length === 0) why ??= joinReasons(refused);
    else told = { ...told, ...offered.describe?.(left, node) };
    properties[param] = restrict(schema, left);
  }
  const whyNot = (param: string, value: unknown): WhyWithheld | null =>
    withheld.find((one) => one.param === param && one.value === value) ?? null;
  if (withheld.length === 0 || why !== null) return { product, withheld: why === null ? withheld : [], why, whyNot };
  return {
    product: withoutWithheld({ ...product, ...told, params: { ...product.params, properties } }, whyNot),
    withheld,
    why,
    whyNot,
  };
}

/** A schema without the values that are not sold. A default that is not sold is replaced by the first value that is. */
function restrict(schema: TSchema, left: readonly string[]): TSchema {
  const isLeft = (value: unknown) => left.some((one) => one === String(value));
  const [first] = left;
  const has_default = schema.default !== undefined && first !== undefined && !isLeft(schema.default);
  const value = has_default ? { default: first } : {};
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, ...value, anyOf: schema.anyOf.filter((option: TSchema) => isLeft(option.const)) };
  }
  return {
    ...schema,
    ...value,
    description: `${schema.description ?? ""} This node offers ${left.join(", ")}.`.trim(),
  };
}

type WhyNot = OfferedProduct["whyNot"];

/** Removes the withheld values from every other public text, too. */
function withoutWithheld(product: AnyProduct, whyNot: WhyNot): AnyProduct {
  const { tiers, tried, preview, example, params } = product;
  const isOffered = (given: Readonly<Record<string, unknown>> = {}) =>
    Object.entries(given).every(([name, value]) => whyNot(name, value) === null);
  const asOffered = ([name, value]: [string, unknown]) => {
    if (whyNot(name, value) === null) return [name, value];
    const schema = params.properties[name];
    return [name, schema.default ?? listValues(schema)[0]];
  };
  return {
    ...product,
    example: { ...example, params: Object.fromEntries(Object.entries(example.params).map(asOffered)) },
    preview: { ...preview, ...(preview.params ? { params: preview.params.filter(isOffered) } : {}) },
    ...(tiers
      ? { tiers: { ...tiers, prices: pick(tiers.prices, (value) => whyNot(tiers.param, value) === null) } }
      : {}),
    ...(tried ? { tried: isOffered(tried.params) ? tried : { order: tried.order } } : {}),
  };
}

const pick = <T>(all: Readonly<Record<string, T>>, keep: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => keep(name)));

/** One line for all values of a parameter that lack the same: "/world-quote market=LSE, TSE: needs …". */
export function renderWithheldValues(withheld: readonly WithheldValue[]): readonly string[] {
  const groups = Map.groupBy(withheld, ({ path, param, why }) => JSON.stringify([path, param, why]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? `${first.path} ${first.param}=${group.map(({ value }) => value).join(", ")}: ${first.why}` : [];
  });
}
