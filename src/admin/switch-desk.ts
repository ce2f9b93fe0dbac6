import type { Catalog } from "../catalog/catalog.ts";
import type { JobDefinition } from "../catalog/plugin.ts";
import { renderTime } from "../core/clock.ts";
import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";
import {
  addSwitch,
  dropEnded,
  isConfiguredOff,
  removeSwitch,
  type StoredSwitches,
  type SwitchConfig,
  type SwitchKind,
} from "../files/switch-file.ts";

/** Where switches are thrown: in a running node, or on the folder of one that does not run. */
export interface SwitchDesk {
  readonly config: () => SwitchConfig;
  readonly stored: () => StoredSwitches;
  /** What is sold now. */
  readonly catalog: () => Catalog;
  /** What would be sold. */
  readonly judge: (stored: StoredSwitches) => Catalog;
  /** Changes what is stored, and what is sold by it. @throws Error; nothing has changed then. */
  readonly put: (change: (stored: StoredSwitches) => StoredSwitches) => Promise<void>;
  readonly now_ms: () => number;
}

/** What goes with a product or provider that is switched off. */
export interface OffEffect {
  readonly no_longer_sold: readonly { readonly path: string; readonly why: string }[];
  /** Products that are still sold, without this provider. */
  readonly lose_a_source: readonly string[];
  /** Values of parameters that are no longer sold: "/world-quote?market=TSE". */
  readonly values_no_longer_sold: readonly string[];
  /** Jobs that rest, as <plugin>/<job>. */
  readonly jobs_that_rest: readonly string[];
}

export interface OffRequest {
  readonly kind: SwitchKind;
  /** Path of a product, with or without its slash, or id of a provider. */
  readonly name: string;
  readonly reason?: string | undefined;
  /** A day, which ends it at its first moment, or a time; UTC. */
  readonly until?: string | undefined;
}

const UNTIL = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/;

/** @throws NodeError invalid_parameter */
function readUntil(text: string | undefined, now_ms: number): number | null {
  if (text === undefined) return null;
  const until_ms = UNTIL.test(text) ? Date.parse(text) : Number.NaN;
  // The 30th of February would be taken for the 2nd of March.
  const is_time = !Number.isNaN(until_ms) && new Date(until_ms).toISOString().startsWith(text.slice(0, 10));
  const wrong = (why: string) => new NodeError("invalid_parameter", `until: ${why}`, { param: "until" });
  if (!is_time) throw wrong('a day or a time in UTC, such as "2026-12-31" or "2026-12-31T18:00Z"');
  if (until_ms <= now_ms) throw wrong(`${renderTime(until_ms)} is over`);
  return until_ms;
}

/** Every product this program knows, by the path it is sold at and the one it has by default. */
function listKnownProducts({ whole, withheld, off }: Catalog): ReadonlyMap<string, string> {
  return new Map([
    ...withheld.map(({ path }) => [path, path] as const),
    ...[...whole, ...off.map(({ product }) => product)].flatMap(({ path, default_path }) => [
      [path as string, default_path as string] as const,
      [default_path as string, default_path as string] as const,
    ]),
  ]);
}

/** The name a switch is kept under. @throws NodeError invalid_parameter naming the nearest. */
function findName(catalog: Catalog, { kind, name }: Pick<OffRequest, "kind" | "name">): string {
  const known: ReadonlyMap<string, string> =
    kind === "products" ? listKnownProducts(catalog) : new Map(catalog.providers.map(({ id }) => [id, id] as const));
  const wanted = kind === "products" ? `/${name.replace(/^\/+/, "")}` : name;
  const found = known.get(wanted);
  if (found !== undefined) return found;
  const what = kind === "products" ? "product" : "provider";
  const nearest = closest(wanted, known.keys());
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  const got = wanted.toWellFormed().slice(0, 100);
  throw new NodeError("invalid_parameter", `There is no ${what} "${got}".${hint}`, { param: what });
}

/** What is no longer sold, and what loses a source, when one thing more is switched off. @throws NodeError */
export function describeOff(desk: SwitchDesk, wanted: Pick<OffRequest, "kind" | "name">): OffEffect {
  const before = desk.catalog();
  const name = findName(before, wanted);
  const added = { name, until_ms: null, now_ms: desk.now_ms() };
  const after = desk.judge(addSwitch(desk.stored(), wanted.kind, added));
  const why = new Map(after.withheld.map((one) => [one.path as string, one.why]));
  const gone = before.products.filter(({ path }) => after.get(path) === undefined);
  const values = (catalog: Catalog) =>
    new Set(catalog.withheld_values.map(({ path, param, value }) => `${path}?${param}=${value}`));
  const known = values(before);
  const of_provider = wanted.kind === "providers";
  return {
    no_longer_sold: gone.map(({ path }) => ({ path, why: why.get(path) ?? "nothing it needs is left" })),
    lose_a_source: of_provider
      ? after.products.filter(({ providers }) => providers.some(({ id }) => id === name)).map(({ path }) => path)
      : [],
    values_no_longer_sold: [...values(after)].filter((value) => !known.has(value)),
    jobs_that_rest: listResting(before, {
      gone: new Set(gone.map((one) => one.default_path)),
      off: of_provider ? [name, ...desk.stored().providers.map((one) => one.name), ...desk.config().providers.off] : [],
    }),
  };
}

/** Jobs that have nobody left to ask, or nothing left that reads what they store. */
function listResting(
  { plugins }: Catalog,
  { gone, off }: { readonly gone: ReadonlySet<string>; readonly off: readonly string[] },
): readonly string[] {
  const rests = ({ providers, serves = [], asks = {} }: JobDefinition): boolean =>
    (off.length > 0 && providers.length > 0 && providers.every(({ id }) => off.includes(id))) ||
    (serves.length > 0 && serves.every((path) => gone.has(path))) ||
    Object.entries(asks).some(([path, how]) => how === "needed" && gone.has(path));
  return plugins.flatMap((plugin) => plugin.jobs.filter(rests).map(({ id }) => `${plugin.id}/${id}`));
}

/** Switches a product or provider off. @throws NodeError invalid_parameter */
export async function switchOff(desk: SwitchDesk, wanted: OffRequest): Promise<OffEffect & { readonly name: string }> {
  const { kind, reason, until } = wanted;
  const now_ms = desk.now_ms();
  const name = findName(desk.catalog(), wanted);
  const until_ms = readUntil(until, now_ms);
  const effect = describeOff(desk, wanted);
  await desk.put((stored) => addSwitch(dropEnded(stored, now_ms), kind, { name, reason, until_ms, now_ms }));
  return { name, ...effect };
}

/** Switches it on again. @throws NodeError invalid_parameter where the configuration keeps it off. */
export async function switchOn(
  desk: SwitchDesk,
  wanted: Pick<OffRequest, "kind" | "name">,
): Promise<{ readonly name: string; readonly was_off: boolean }> {
  const { kind } = wanted;
  // What an upgrade or a plugin took away may still be switched off.
  const given = kind === "products" ? `/${wanted.name.replace(/^\/+/, "")}` : wanted.name;
  const is_stored = desk.stored()[kind].some((one) => one.name === given);
  const name = is_stored ? given : findName(desk.catalog(), wanted);
  const sold_at = desk.catalog().off.find(({ product }) => product.default_path === name)?.product.path ?? name;
  const of_file = [name, sold_at].find((one) => isConfiguredOff(desk.config(), kind, one));
  if (of_file !== undefined) {
    const message = `[${kind}] off names "${of_file}": take it out of the configuration, then reload.`;
    throw new NodeError("invalid_parameter", message, { param: kind === "products" ? "product" : "provider" });
  }
  const was_off = desk.stored()[kind].some((one) => one.name === name);
  await desk.put((stored) => removeSwitch(dropEnded(stored, desk.now_ms()), kind, name));
  return { name, was_off };
}

/** Forgets what has come to its end, so that it is sold again. */
export async function endSwitches({ stored, put, now_ms }: SwitchDesk): Promise<void> {
  const { products, providers } = stored();
  const left = dropEnded(stored(), now_ms());
  if (left.products.length + left.providers.length === products.length + providers.length) return;
  await put((now) => dropEnded(now, now_ms()));
}
