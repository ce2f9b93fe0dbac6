import { isAbsolute } from "node:path";
import type { UnusedProvider } from "../catalog/unused-providers.ts";
import { renderModel } from "./check-models.ts";
import type { CheckReport } from "./check-report.ts";
import { renderFaults, renderPayable, renderQuota } from "./check-whole.ts";
import { renderFinding } from "./online/finding.ts";

/** How many entries of a list are named; the rest is only counted. */
const NAMED_MAX = 4;
/** The most proposals. */
const ADDITIONS_MAX = 5;
/** Longest reason; its details are in the whole list. */
const WHY_CHARS_MAX = 110;
/** The used part of a quota from which on it has a line. */
const QUOTA_TOLD = 0.8;

/** The first entries of a list and the number of the rest. A further "/world-quote?market=AMS" is written "AMS". */
function nameSome(names: readonly string[]): string {
  const left = names.length - NAMED_MAX;
  const shown = left <= 1 ? names : names.slice(0, NAMED_MAX);
  const parameterOf = (name = "") => name.slice(0, name.indexOf("=") + 1);
  const short = shown.map((name, index) => {
    const parameter = parameterOf(name);
    return parameter !== "" && parameterOf(shown[index - 1]) === parameter ? name.slice(parameter.length) : name;
  });
  return left <= 1 ? short.join(", ") : `${short.join(", ")} and ${left} more`;
}

const cut = (text: string): string => (text.length > WHY_CHARS_MAX ? `${text.slice(0, WHY_CHARS_MAX - 3)}...` : text);

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** "78 products, 0.001 to 0.35 USD a call". Prices are decimal texts of at most six places. */
function renderSales({ products }: CheckReport): string {
  const prices = products.map(({ price_usd }) => price_usd).sort((a, b) => Number(a) - Number(b));
  const [lowest] = prices;
  const highest = prices.at(-1);
  if (lowest === undefined || highest === undefined) return "no product";
  return `${countOf(products.length, "product")}, ${lowest === highest ? lowest : `${lowest} to ${highest}`} USD each`;
}

/** Products of the operator's own plugins by name, because the operator wants to know whether they are sold. */
function renderOwn({ products }: CheckReport): readonly string[] {
  const own = products.filter(({ file }) => isAbsolute(file));
  return own.length > 0 ? [`            of your own plugins: ${own.map(({ path }) => path).join(", ")}`] : [];
}

/** One line for each reason something is not sold. */
function renderWithheld({ withheld, withheld_values }: CheckReport): readonly string[] {
  const named = [
    ...withheld.map(({ path, why }) => ({ name: path, why })),
    ...withheld_values.map(({ path, param, value, why }) => ({ name: `${path}?${param}=${value}`, why })),
  ];
  const by_why = Map.groupBy(named, ({ why }) => why);
  return [...by_why].map(([why, group]) => `  withholds ${nameSome(group.map(({ name }) => name))}: ${cut(why)}`);
}

interface Addition {
  readonly what: string;
  /** Products and values of parameters that would be sold. */
  readonly sells: readonly string[];
  /** Products that would get one more source. */
  readonly backs: readonly string[];
}

/** Turns "needs [providers.eia] api_key" into the setting to add. */
const toSetting = (why: string): string => cut(why.replace(/^needs /, ""));

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();

/** Leaves out what the operator has switched off. */
const isMissing = ({ why }: { readonly why: string }): boolean => !why.startsWith("switched off");

/** Missing keys and licences, those that sell the most first; a setting that opens two providers counts once. */
function listAdditions(report: CheckReport): readonly Addition[] {
  const unused_providers = report.unused_providers.filter(isMissing);
  const withheld = report.withheld.filter(isMissing);
  const by_why = Map.groupBy(unused_providers, ({ why }: UnusedProvider) => why);
  const of_providers = [...by_why].map(([why, providers]): Addition => {
    const sells = unique(providers.flatMap(({ turns_on }) => turns_on));
    const backs = unique(providers.flatMap(({ read_by }) => read_by));
    return { what: `${toSetting(why)} (${nameSome(providers.map(({ provider }) => provider))})`, sells, backs };
  });
  // Settings that belong to no provider, such as a language model.
  const others = withheld.filter(({ path }) => !of_providers.some(({ sells }) => sells.includes(path)));
  const of_others = [...Map.groupBy(others, ({ why }) => why)].map(
    ([why, group]): Addition => ({ what: toSetting(why), sells: group.map(({ path }) => path), backs: [] }),
  );
  // A whole product counts more than one more value of another product.
  const weigh = ({ sells }: Addition) => sells.filter((one) => !one.includes("?")).length;
  return [...of_providers, ...of_others]
    .filter(({ sells, backs }) => sells.length + backs.length > 0)
    .sort((a, b) => weigh(b) - weigh(a) || b.sells.length - a.sells.length || b.backs.length - a.backs.length);
}

function renderAddition({ what, sells, backs }: Addition): string {
  const brings = [
    ...(sells.length > 0 ? [`sells ${nameSome(sells)}`] : []),
    ...(backs.length > 0 ? [`one more source of ${countOf(backs.length, "product")}`] : []),
  ];
  return `  add       ${what}: ${brings.join("; ")}`;
}

function renderOnline(online: CheckReport["online"] = []): readonly string[] {
  const bad = online.filter(({ level }) => level !== "ok");
  const fine = online.length - bad.length;
  return [...(fine > 0 ? [`  ok        ${fine} of ${online.length} that were asked`] : []), ...bad.map(renderFinding)];
}

/** The summary: what is sold, what is not and why, and what to add first with its benefit. */
export function renderSummary(file: string, report: CheckReport): readonly string[] {
  const { withheld, withheld_values } = report;
  const additions = listAdditions(report);
  const further = additions.length - ADDITIONS_MAX;
  const missing = [
    ...(withheld.length > 0 ? [countOf(withheld.length, "product")] : []),
    ...(withheld_values.length > 0 ? [`${countOf(withheld_values.length, "value")} of parameters`] : []),
  ];
  return [
    `${file}: valid`,
    `  sells     ${renderSales(report)}`,
    ...renderOwn(report),
    ...(missing.length > 0 ? [`  withholds ${missing.join(" and ")}:`] : []),
    ...renderWithheld(report).map((line) => line.replace("  withholds", "           ")),
    ...additions.slice(0, ADDITIONS_MAX).map(renderAddition),
    ...(further > 0 ? [`  add       ${further} more; --all names each product, reason and source`] : []),
    ...report.quotas.filter(({ spent, limit }) => spent >= limit * QUOTA_TOLD).map(renderQuota),
    ...report.models.flatMap((model) => renderModel(model).slice(0, 1)),
    ...renderPayable(report),
    ...renderOnline(report.online),
    ...renderFaults(report),
  ];
}
