import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import type { Switch, Switches } from "../catalog/switched-off.ts";
import type { InForce } from "../config/own-config.ts";
import type { Config } from "../config/schema.ts";
import { renderTime } from "../core/clock.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { cleanForeign } from "../core/foreign-text.ts";
import { writeSecretFile } from "./secret-file.ts";

/** In the data folder: what was switched off by command or click. */
const SWITCHES_FILE = "switches.json";
const REASON_CHARS_MAX = 300;

const Entry = Type.Object(
  {
    name: Type.String(),
    reason: Type.Union([Type.String(), Type.Null()]),
    /** Until when, ISO 8601. */
    until: Type.Union([Type.String(), Type.Null()]),
    /** Since when. */
    since: Type.String(),
  },
  { additionalProperties: false },
);
const SwitchFile = Type.Object(
  { version: Type.Literal(1), products: Type.Array(Entry), providers: Type.Array(Entry) },
  { additionalProperties: false },
);
const check = compileSchema(SwitchFile);

export type SwitchKind = "products" | "providers";
export type StoredSwitches = Static<typeof SwitchFile>;

const NOTHING: StoredSwitches = { version: 1, products: [], providers: [] };

/**
 * What was switched off by command or click, in the order in which it was.
 * @throws Error when the file is there and cannot be read: what a court took off sale must not come back unseen.
 */
export function loadSwitches(data_dir: string): StoredSwitches {
  const file = join(data_dir, SWITCHES_FILE);
  if (!existsSync(file)) return NOTHING;
  const wrong = (cause?: unknown) =>
    new Error(
      `${file} says what is switched off, and cannot be read. Mend it, or delete it: then everything is on again.`,
      { cause },
    );
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(error);
  }
  if (!check.Check(read)) throw wrong();
  return read;
}

/** @throws Error of the system; what was written before stays. */
export const writeSwitches = (data_dir: string, stored: StoredSwitches): void =>
  writeSecretFile(join(data_dir, SWITCHES_FILE), `${JSON.stringify(stored, null, 2)}\n`);

/** What somebody wants switched off. */
export interface WantedSwitch {
  readonly name: string;
  /** Cleaned here. */
  readonly reason?: string | undefined;
  readonly until_ms: number | null;
  readonly now_ms: number;
}

/** With one switch more, in the place of an earlier one of the same name. */
export function addSwitch(stored: StoredSwitches, kind: SwitchKind, wanted: WantedSwitch): StoredSwitches {
  const { name, until_ms, now_ms } = wanted;
  const reason = cleanForeign(wanted.reason ?? "", REASON_CHARS_MAX);
  const entry = {
    name,
    reason: reason === "" ? null : reason,
    until: until_ms === null ? null : renderTime(until_ms),
    since: renderTime(now_ms),
  };
  return { ...stored, [kind]: [...stored[kind].filter((one) => one.name !== name), entry] };
}

export const removeSwitch = (stored: StoredSwitches, kind: SwitchKind, name: string): StoredSwitches => ({
  ...stored,
  [kind]: stored[kind].filter((one) => one.name !== name),
});

const isOver = ({ until }: StoredSwitches["products"][number], now_ms: number): boolean =>
  until !== null && Date.parse(until) <= now_ms;

/** Without those whose time is over. */
export const dropEnded = (stored: StoredSwitches, now_ms: number): StoredSwitches => ({
  ...stored,
  products: stored.products.filter((one) => !isOver(one, now_ms)),
  providers: stored.providers.filter((one) => !isOver(one, now_ms)),
});

/** What the configuration says of it. */
export type SwitchConfig = Pick<Config, "products" | "providers">;

/** Whether the configuration switches it off: then only the configuration switches it on. */
export const isConfiguredOff = (config: SwitchConfig, kind: SwitchKind, name: string): boolean =>
  config[kind].off.includes(name);

/** All that is off: what the configuration names, and what was switched off by command or click. */
export function readSwitches(config: SwitchConfig, stored: StoredSwitches, now_ms: () => number): Switches {
  const left = dropEnded(stored, now_ms());
  const all = (kind: SwitchKind): readonly Switch[] => {
    const noted = left[kind].map(
      ({ name, reason, until }): Switch => ({ name, reason, until_ms: until === null ? null : Date.parse(until) }),
    );
    const configured = config[kind].off.map((name): Switch => {
      // What the file says without a word may have its words from a command.
      const reason = noted.find((one) => one.name === name)?.reason ?? null;
      return { name, reason, until_ms: null };
    });
    return [...configured, ...noted.filter(({ name }) => !config[kind].off.includes(name))];
  };
  return { products: all("products"), providers: all("providers"), now_ms };
}

/** What is off on a data folder, whether or not a node runs there. @throws Error see `loadSwitches` */
export const readFolderSwitches = (config: SwitchConfig & Pick<Config, "data">, now_ms: () => number): Switches =>
  readSwitches(config, loadSwitches(config.data.dir), now_ms);

/** What is switched off in a running node. */
export interface SwitchBoard {
  readonly stored: StoredSwitches;
  /** All that is off now. */
  readonly read: () => Switches;
  /** In force when it is on the disk. @throws Error of the system; nothing has changed then. */
  readonly store: (next: StoredSwitches) => void;
}

/** @throws Error see `loadSwitches` */
export function createSwitchBoard(
  data_dir: string,
  { in_force, now_ms }: { readonly in_force: Pick<InForce, "config">; readonly now_ms: () => number },
): SwitchBoard {
  let stored = loadSwitches(data_dir);
  return {
    get stored() {
      return stored;
    },
    read: () => readSwitches(in_force.config, stored, now_ms),
    store(next) {
      writeSwitches(data_dir, next);
      stored = next;
    },
  };
}
