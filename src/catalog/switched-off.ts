import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import type { AnyProduct } from "./product.ts";
import type { ProductPath } from "./product-path.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { Reason, WhyWithheld } from "./why-withheld.ts";

/** One product or provider that the operator has switched off. */
export interface Switch {
  /** Path of a product, or id of a provider. */
  readonly name: string;
  /** The operator's words for buyers, cleaned; null if the operator gave none. */
  readonly reason: string | null;
  /** When it is switched on again automatically; null: when the operator does so. */
  readonly until_ms: number | null;
}

/** All that is switched off now. */
export interface Switches {
  readonly products: readonly Switch[];
  readonly providers: readonly Switch[];
  readonly now_ms: () => number;
}

/** What is read of a product here. */
interface Switchable {
  readonly path: ProductPath;
  readonly default_path: ProductPath;
  readonly providers: readonly ProviderDefinition[];
  readonly definition: AnyProduct;
}

/** A product that would be sold if nothing were switched off. */
export interface OffProduct<P extends Switchable> {
  readonly product: P;
  /** The switches that keep it from being sold: its own, or those of what it needs. */
  readonly switches: readonly Switch[];
  /** The refusal for buyers, before anything is paid: 503 with the time it is back, or 410. */
  readonly refuse: () => NodeError;
}

/** The switch of a product, which has its configured path and its default path. */
export const findProductSwitch = (
  { products }: Pick<Switches, "products">,
  ...paths: readonly string[]
): Switch | undefined => products.find(({ name }) => paths.includes(name));

const endOf = ({ until_ms }: Switch): string => (until_ms === null ? "" : ` until ${renderTime(until_ms)}`);

/** Why something is not used, for the operator. */
export const renderSwitch = (one: Switch): string =>
  `switched off${endOf(one)}${one.reason === null ? "" : `: ${one.reason}`}`;

/** The same for operator and buyer: the reason of a switch is written for buyers, so both read it. */
export const toSwitchReason = (one: Switch): WhyWithheld => ({ why: renderSwitch(one), for_buyers: renderSwitch(one) });

/** Why a provider may not be used: what the operator switched off comes before what the configuration lacks. */
export const withSwitches =
  (
    whyNot: (provider: ProviderDefinition, chain?: string) => Reason | null,
    { providers }: Pick<Switches, "providers">,
  ): typeof whyNot =>
  (provider, chain) => {
    const found = providers.find(({ name }) => name === provider.id);
    return found === undefined ? whyNot(provider, chain) : toSwitchReason(found);
  };

/** The paths of what a product asks for, and of what those ask for, itself included. */
function listAsked(product: AnyProduct, whole: ReadonlyMap<string, Switchable>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string, definition: AnyProduct | undefined): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [part, how] of Object.entries(definition?.asks ?? {})) {
      if (how === "needed") visit(part, whole.get(part)?.definition);
    }
  };
  visit(product.path, product);
  return found;
}

/**
 * What is not sold any more because something is switched off.
 * @param whole what would be sold if nothing were.
 * @param sold what is.
 */
export function listSwitchedOff<P extends Switchable>(
  whole: readonly P[],
  sold: readonly Switchable[],
  switches: Switches,
): readonly OffProduct<P>[] {
  const left = new Set(sold.map(({ path }) => path));
  const by_path = new Map<string, Switchable>(whole.map((product) => [product.default_path, product]));
  return whole
    .filter(({ path }) => !left.has(path))
    .map((product): OffProduct<P> => {
      const own = findProductSwitch(switches, product.path, product.default_path);
      const of_it = own === undefined ? findCauses(product, { by_path, switches }) : [own];
      const all = [...switches.products, ...switches.providers];
      const found = of_it.length > 0 ? of_it : all;
      return { product, switches: found, refuse: () => refuseSwitchedOff(product.path, found, switches.now_ms()) };
    });
}

/** The switches of what a product needs. */
function findCauses(
  product: Switchable,
  { by_path, switches }: { readonly by_path: ReadonlyMap<string, Switchable>; readonly switches: Switches },
): readonly Switch[] {
  const asked = listAsked({ ...product.definition, path: product.default_path }, by_path);
  const paths = [...asked].flatMap((path) => [path, by_path.get(path)?.path ?? path]);
  const providers = new Set([...product.providers, ...product.definition.requires.flat()].map(({ id }) => id));
  return [
    ...switches.products.filter(({ name }) => paths.includes(name)),
    ...switches.providers.filter(({ name }) => providers.has(name)),
  ];
}

/** @param switches one or more. */
function refuseSwitchedOff(path: string, switches: readonly Switch[], now_ms: number): NodeError {
  const reasons = [...new Set(switches.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
  const said = reasons.length === 0 ? "" : ` The operator says: ${reasons.join(" / ")}`;
  const ends = switches.map(({ until_ms }) => until_ms);
  const details = { product: path, reason: reasons.length === 0 ? null : reasons.join(" / ") };
  if (ends.some((end) => end === null)) {
    return new NodeError("product_off", `${path} is no longer sold here. Nothing was charged.${said}`, { details });
  }
  const until_ms = Math.max(...ends.map(Number));
  const until = renderTime(until_ms);
  return new NodeError("product_paused", `${path} is off sale until ${until}. Nothing was charged.${said}`, {
    details: { ...details, until },
    // What is due ends within seconds.
    retry_after_s: Math.max(1, Math.ceil((until_ms - now_ms) / 1000)),
  });
}
