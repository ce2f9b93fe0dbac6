import { createInterface } from "node:readline/promises";
import { describeOff, type OffEffect, type OffRequest, switchOff, switchOn } from "../admin/switch-desk.ts";
import { renderSwitch } from "../catalog/switched-off.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import type { SwitchKind } from "../files/switch-file.ts";
import { askOperation, type NodePlace, reachNode } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { type LoadedFile, loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { openClosedDesk, readSold } from "./switch-place.ts";

export interface SwitchOptions extends NodePlace {
  readonly json: boolean;
}

export interface OffOptions extends SwitchOptions {
  readonly reason?: string | undefined;
  readonly until?: string | undefined;
  /** For a provider: switches off the dependent products too, without a question. */
  readonly yes?: boolean;
}

/** The place of a switch: the running node, or its folder while it does not run. */
interface SwitchPlace {
  readonly describe: (wanted: OffRequest) => Promise<OffEffect>;
  readonly off: (wanted: OffRequest) => Promise<OffEffect & { readonly name: string }>;
  readonly on: (kind: SwitchKind, name: string) => Promise<{ readonly name: string; readonly was_off: boolean }>;
  readonly close: () => void;
}

const MEMBER = { products: "product", providers: "provider" } as const;

function runningPlace(options: SwitchOptions): SwitchPlace {
  const ask = async <T>(name: "off" | "on", kind: SwitchKind, input: Readonly<Record<string, unknown>>): Promise<T> =>
    (await askOperation(await reachNode(options), `${kind}_${name}`, input)) as T;
  const inputOf = ({ kind, name, reason, until }: OffRequest) => ({ [MEMBER[kind]]: name, reason, until });
  return {
    describe: (wanted) => ask("off", wanted.kind, inputOf(wanted)),
    off: (wanted) =>
      ask("off", wanted.kind, { ...inputOf(wanted), ...(wanted.kind === "providers" ? { yes: true } : {}) }),
    on: (kind, name) => ask("on", kind, { [MEMBER[kind]]: name }),
    close: () => undefined,
  };
}

/** @throws Error for people */
function findPlace(loaded: LoadedFile, options: SwitchOptions): SwitchPlace {
  const desk = openClosedDesk(loaded, options.data ?? loaded.config.data.dir);
  if (desk === null) return runningPlace(options);
  return {
    describe: async (wanted) => describeOff(desk, wanted),
    off: (wanted) => switchOff(desk, wanted),
    on: (kind, name) => switchOn(desk, { kind, name }),
    close: desk.close,
  };
}

async function withPlace(options: SwitchOptions, work: (place: SwitchPlace) => Promise<number>): Promise<number> {
  const loaded = await loadConfigFile(options.config);
  // A running node is called even if the configuration is faulty now: an urgent switch must not wait for a repair.
  const is_named = options.data !== undefined && options.url !== undefined;
  if ("faults" in loaded && !is_named) {
    printError(loaded.faults);
    return EXIT.config;
  }
  let place: SwitchPlace | null = null;
  try {
    place = "faults" in loaded ? runningPlace(options) : findPlace(loaded, options);
    return await work(place);
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  } finally {
    place?.close();
  }
}

/** `products off`, `providers off`: takes effect at once in a running node, and lasts over restarts. */
export const offCommand = (kind: SwitchKind, name: string, options: OffOptions): Promise<number> =>
  withPlace(options, async (place) => {
    const wanted: OffRequest = { kind, name, reason: options.reason, until: options.until };
    if (kind === "providers" && options.yes !== true) {
      const effect = await place.describe(wanted);
      print(renderEffect(effect, `Without ${name}`).join("\n"));
      if (!(await isAgreed(name))) return EXIT.config;
    }
    const done = await place.off(wanted);
    if (options.json) print(JSON.stringify(done));
    else
      print([...renderOff(kind, done.name, options.until), ...renderEffect(withoutItself(done), "With it")].join("\n"));
    return EXIT.ok;
  });

/** `products on`, `providers on`. */
export const onCommand = (kind: SwitchKind, name: string, options: SwitchOptions): Promise<number> =>
  withPlace(options, async (place) => {
    const done = await place.on(kind, name);
    if (options.json) print(JSON.stringify(done));
    else print(done.was_off ? `${done.name} is on again.` : `${done.name} was not switched off.`);
    return EXIT.ok;
  });

/** Asks the person at the terminal for a yes; without a terminal, prints the option to use instead. */
async function isAgreed(name: string): Promise<boolean> {
  const { stdin, stdout } = process;
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    printError("Nothing was changed. --yes switches it off.");
    return false;
  }
  const readline = createInterface({ input: stdin, output: stdout });
  try {
    const answer = (await readline.question(`Switch ${escapeInvisible(name)} off? [y/N]: `)).trim();
    if (/^y(es)?$/i.test(answer)) return true;
    print("Nothing was changed.");
    return false;
  } finally {
    readline.close();
  }
}

function renderOff(kind: SwitchKind, name: string, until: string | undefined): readonly string[] {
  const back =
    until === undefined ? `"intel-node ${kind} on ${name}" puts it back.` : `It is on again at ${until}, UTC.`;
  if (kind === "providers") return [`${name} is asked no more. ${back}`];
  const answer = until === undefined ? "410" : "503 with Retry-After";
  return [`${name} is off sale: whoever asks for it gets ${answer} and is not charged. ${back}`];
}

/** Things that go off sale with a product, apart from the product itself. */
const withoutItself = (done: OffEffect & { readonly name: string }): OffEffect => ({
  ...done,
  no_longer_sold: done.no_longer_sold.filter(({ path }) => path !== done.name),
});

function renderEffect(effect: OffEffect, lead: string): readonly string[] {
  const { no_longer_sold, lose_a_source, values_no_longer_sold, jobs_that_rest } = effect;
  const lines = [
    ...no_longer_sold.map(({ path, why }) => `  no longer sold   ${path}: ${escapeInvisible(why)}`),
    ...values_no_longer_sold.map((value) => `  no longer sold   ${value}`),
    ...lose_a_source.map((path) => `  loses a source   ${path}`),
    ...jobs_that_rest.map((id) => `  rests            ${id}`),
  ];
  return lines.length === 0 ? [`${lead}: nothing else changes.`] : [`${lead}:`, ...lines];
}

/** `products list`, `providers list`: all of them, and the reasons why some are not used. */
export async function listCommand(kind: SwitchKind, options: SwitchOptions): Promise<number> {
  const loaded = await loadConfigFile(options.config);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  try {
    const rows = (kind === "products" ? listProducts : listProviders)(
      readSold(loaded, options.data ?? loaded.config.data.dir),
    );
    if (options.json) print(JSON.stringify({ [kind]: rows }, null, 2));
    else for (const row of rows) print(renderRow(row));
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

interface Row {
  readonly name: string;
  readonly state: "on" | "off" | "withheld";
  /** Null while it is on. */
  readonly why: string | null;
  readonly plugin?: string;
  readonly price_usd?: string;
  readonly terms?: string;
}

const NAME_CHARS = 28;
const renderRow = ({ name, state, why, plugin, price_usd, terms }: Row): string =>
  [
    name.padEnd(NAME_CHARS),
    state.padEnd(8),
    ...[terms, price_usd && `${price_usd} USD`, plugin].flatMap((text) => text || []),
    ...(why === null ? [] : [escapeInvisible(why)]),
  ].join("  ");

type Sold = ReturnType<typeof readSold>;

function listProducts({ catalog, switches }: Sold): readonly Row[] {
  const known = new Set([...catalog.whole, ...catalog.withheld].map(({ path }) => path as string));
  for (const { default_path } of catalog.whole) known.add(default_path);
  const stale = switches.products
    .filter(({ name }) => !known.has(name))
    .map((one): Row => ({ name: one.name, state: "off", why: `${renderSwitch(one)} (no such product now)` }));
  const off = new Set(catalog.off.map(({ product }) => product.path as string));
  const sold = catalog.products.map(
    ({ path, plugin, price_usd }): Row => ({ name: path, state: "on", why: null, plugin, price_usd }),
  );
  const withheld = catalog.withheld.map(
    ({ path, why }): Row => ({ name: path, state: off.has(path) ? "off" : "withheld", why }),
  );
  return [...sold, ...withheld, ...stale].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listProviders({ catalog, switches, upstream }: Sold): readonly Row[] {
  return catalog.providers.map((provider): Row => {
    const { id, terms } = provider;
    const off = switches.providers.find(({ name }) => name === id);
    if (off) return { name: id, state: "off", why: renderSwitch(off), terms: terms.class };
    const why = upstream.whyNot(provider)?.why ?? null;
    return { name: id, state: why === null ? "on" : "withheld", why, terms: terms.class };
  });
}

/** `plugins`: every plugin by its id, which `[plugins] disabled` takes. */
export async function pluginsCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { plugins, known } = loaded.plugins;
  const rows = known.map((plugin) => ({
    id: plugin.id,
    title: plugin.title,
    origin: plugin.origin,
    enabled: plugins.some(({ id }) => id === plugin.id),
    products: plugin.products.map(({ product }) => product.path),
  }));
  if (json) print(JSON.stringify({ plugins: rows }, null, 2));
  for (const { id, title, origin, enabled, products } of json ? [] : rows) {
    const state = enabled ? origin : "disabled";
    print(`${id.padEnd(NAME_CHARS)}${state.padEnd(10)}${String(products.length).padStart(4)} products  ${title}`);
  }
  return EXIT.ok;
}
