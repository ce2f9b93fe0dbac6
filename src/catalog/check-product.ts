import { compileSchema } from "../core/compile-schema.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { parseUSD } from "../core/money.ts";
import { listFormFaults } from "./form.ts";
import { listMeterFaults, METER_OPTIONS } from "./metering.ts";
import { listOfferFaults } from "./offered-product.ts";
import { listOptionFaults } from "./option-rules.ts";
import { createParamsParser, RESERVED_PARAMS } from "./params.ts";
import { PRICING_OPTIONS, TIER_OPTIONS } from "./price-tiers.ts";
import { type AnyProduct, EXAMPLE_OPTIONS, PREVIEW_OPTIONS, PRODUCT_OPTIONS } from "./product.ts";
import { createRounder } from "./round-data.ts";
import { listTierFaults } from "./tiers.ts";

/** What tools, skills and operations are called by: "/fear-greed" is fear_greed. Never equal to a path. */
export const skillIdOf = (path: string): string => path.slice(1).replaceAll(/[/-]/g, "_");

/** Every path that is a product's: its own, older names, the free one of its preview. */
export const pathsOf = ({ path, aliases = [], preview }: AnyProduct): readonly string[] => [
  path,
  ...aliases,
  ...(preview?.path === undefined ? [] : [preview.path]),
];

const PATH = /^\/[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*){0,3}$/;
const ASCII_LABEL = /^[\x20-\x7e]{1,32}$/;
/** Longer resource descriptions make facilitators refuse payments without a reason. */
const DESCRIPTION_CHARS_MAX = 450;
/** How many search words it has: enough for two languages. */
const SEARCH_MAX = 60;
const SEARCH_CHARS_MAX = 80;

/** What is wrong with a path, in words. */
const listPathFaults = (path: string, owners: ReadonlyMap<string, string>): readonly string[] => [
  ...listSpellingFaults(path),
  ...listTakenFaults(path, owners.get(path)),
];

/** What is wrong with how a path is written. */
export const listSpellingFaults = (path: string): readonly string[] =>
  PATH.test(path) ? [] : [`path "${path}" must be lower-case words such as "/fear-greed"`];

/** That somebody owns it already. */
export const listTakenFaults = (path: string, owner: string | undefined): readonly string[] =>
  owner === undefined ? [] : [`path "${path}" is already taken by ${owner}`];

/** Options of a product that are missing, of the wrong kind, or unknown. The first check of a product. */
export const listProductOptionFaults = (product: AnyProduct) =>
  listOptionFaults([
    { given: product, rules: PRODUCT_OPTIONS },
    { given: product?.preview, rules: PREVIEW_OPTIONS, where: "preview." },
    { given: product?.example, rules: EXAMPLE_OPTIONS, where: "example." },
    { given: product?.tiers, rules: TIER_OPTIONS, where: "tiers." },
    { given: product?.metered, rules: METER_OPTIONS, where: "metered." },
    { given: product?.priced, rules: PRICING_OPTIONS, where: "priced." },
  ]);

/**
 * All faults of one definition whose options are what they must be, in words. An operator's plugin may be plain
 * JavaScript, so nothing is taken on trust.
 */
export function checkProduct(product: AnyProduct, owners: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [
    ...listProductOptionFaults(product).all,
    ...listTierFaults(product),
    ...listMeterFaults(product),
    ...listOfferFaults(product),
    ...listFormFaults(product.form, product.methods ?? ["GET"]),
  ];
  const must = (condition: boolean, message: string) => {
    if (!condition) faults.push(message);
  };
  for (const path of pathsOf(product)) faults.push(...listPathFaults(path, owners));
  const skill_id = skillIdOf(product.path);
  // Two tools of one name would be listed at one price and sold at another.
  const namesake = owners.has(product.path) ? undefined : owners.get(skill_id);
  must(!namesake, `path "${product.path}" would be called "${skill_id}", as the product of ${namesake} is`);
  try {
    must(parseUSD(product.price_usd) > 0n, `price_usd "${product.price_usd}" must be above 0`);
  } catch (error) {
    faults.push(`price_usd: ${messageOf(error)}`);
  }
  must((product.title ?? "") !== "", "title is missing");
  const description_chars = product.description?.length ?? 0;
  must(
    description_chars > 0 && description_chars <= DESCRIPTION_CHARS_MAX,
    `description must have 1-${DESCRIPTION_CHARS_MAX} characters, it has ${description_chars}`,
  );
  const tags: readonly string[] = product.tags ?? [];
  must(tags.length <= 5 && tags.every((tag) => ASCII_LABEL.test(tag)), "tags: at most 5, printable ASCII, at most 32");
  const search: readonly string[] = product.search ?? [];
  must(
    search.length <= SEARCH_MAX && search.every((text) => text.length <= SEARCH_CHARS_MAX),
    `search: at most ${SEARCH_MAX} texts of at most ${SEARCH_CHARS_MAX} characters`,
  );
  must(product.deadline_ms > 0 && product.deadline_ms <= 120_000, "deadline_ms must be between 1 and 120000");
  for (const [name, text] of [
    ["ttl", product.ttl],
    ["max_age", product.max_age ?? "1s"],
    ["preview.every", product.preview?.every],
  ] as const) {
    try {
      parseDuration(text);
    } catch (error) {
      faults.push(`${name}: ${messageOf(error)}`);
    }
  }
  const names = Object.keys(product.params?.properties ?? {});
  // Every path takes `format=json`; a product may list it among its own as well. `lang`, `since`, `as_of`: its own.
  const taken = names.filter(
    (name) => !OWN_TOO.includes(name) && (RESERVED_PARAMS as readonly string[]).includes(name),
  );
  must(taken.length === 0, `parameter "${taken[0]}" is reserved`);
  must(typeof product.fetch === "function" && typeof product.compute === "function", "fetch and compute are needed");
  must(!isEmpty(product.example?.data), "example.data is empty: a product without an example cannot be indexed");
  return faults;
}

const OWN_TOO: readonly string[] = ["format", "lang", "since", "as_of"];

const isEmpty = (data: unknown): boolean =>
  data === undefined || data === null || (typeof data === "object" && Object.keys(data).length === 0);

/** What takes compiling its schemas to find out: whether its example, its previews and its decimals fit them. */
export function listSchemaFaults(product: AnyProduct): readonly string[] {
  const faults: string[] = [];
  const must = (condition: boolean, message: string) => {
    if (!condition) faults.push(message);
  };
  const example: AnyProduct["example"] | undefined = product.example;
  const data = example?.data;
  if (isEmpty(data)) return faults;
  createRounder(product.data);
  const check = compileSchema(product.data);
  const fault = check.Errors(data).First();
  must(!fault, `example.data does not match the data schema at "${fault?.path}": ${fault?.message}`);
  const parser = createParamsParser(product.params, product.normalise);
  try {
    void parser.defaults;
  } catch (error) {
    faults.push(`params: ${messageOf(error)}`);
  }
  const mustBeCall = (what: string, params: unknown) => {
    try {
      const { missing } = parser.fromBody(params);
      must(missing.length === 0, `${what} lacks "${missing[0]}"`);
    } catch (error) {
      must(false, `${what}: ${messageOf(error)}`);
    }
  };
  mustBeCall("example.params", example?.params ?? {});
  const listed: readonly unknown[] = product.preview?.params ?? [];
  for (const [index, params] of listed.entries()) mustBeCall(`preview.params[${index}]`, params);
  return faults;
}
