import { existsSync } from "node:fs";
import { writeSecretFile } from "../../files/secret-file.ts";
import { SETUP_STEPS, type SetupField, type SetupStep } from "../../pages/setup/fields.ts";
import type { LoadedFile } from "../load-config-file.ts";
import { checkDraft, type DraftFaults, proofName, renderDraft, WALLETS } from "./draft.ts";
import { type Entered, readEntered, removeEntered, VALUE_CHARS_MAX, writeEntered } from "./entered.ts";
import { fieldsOf, type Sellable } from "./fields.ts";

/** Faults in the answers of a step, by name of the field. */
export type StepFaults = ReadonlyMap<string, string>;

/** The answers entered so far, and the file that follows from them. */
export interface SetupDesk {
  readonly entered: Entered;
  fields(step: SetupStep): readonly SetupField[];
  /** Keeps the answers of a step, or none of them if one is wrong. */
  save(step: SetupStep, given: Entered): Promise<StepFaults>;
  /** Keeps values that no form asks for, such as a wallet's signed statement. */
  keep(values: Entered): void;
  /** The configuration that the node would read now, or its faults. */
  check(): Promise<LoadedFile | DraftFaults>;
  /** The text of the file to be written. */
  render(): string;
  /** Writes the file, whole or not at all, if it has no fault. */
  write(): Promise<DraftFaults | null>;
}

export interface SetupDeskOptions {
  /** Path of the configuration file to be written. */
  readonly file: string;
  readonly data_dir: string;
  readonly sellable: Sellable;
  readonly node_id: string;
}

export function createSetupDesk({ file, data_dir, sellable, node_id }: SetupDeskOptions): SetupDesk {
  let entered = readEntered(data_dir);
  const fields = (step: SetupStep) => fieldsOf(step, sellable);
  const all = SETUP_STEPS.flatMap(([step]) => fields(step));
  const checkOf = (values: Entered) => checkDraft(renderDraft(values, sellable, node_id), file, all);
  const set = (values: Entered): void => {
    writeEntered(data_dir, values);
    entered = values;
  };
  return {
    get entered() {
      return entered;
    },
    fields,
    async save(step, given) {
      const asked = fields(step).map(({ name }) => name);
      const answers = Object.fromEntries(asked.map((name) => [name, (given[name] ?? "").trim()]));
      const long = asked.filter((name) => (answers[name] ?? "").length > VALUE_CHARS_MAX);
      if (long.length > 0) return new Map(long.map((name) => [name, `at most ${VALUE_CHARS_MAX} characters, please`]));
      const values = dropStaleProofs(entered, { ...entered, ...answers });
      const checked = await checkOf(values);
      const faults = "by_field" in checked ? checked.by_field : new Map<string, string>();
      const own = new Map([...faults].filter(([name]) => asked.includes(name)));
      if (own.size === 0) set(values);
      return own;
    },
    keep: (values) => set({ ...entered, ...values }),
    check: () => checkOf(entered),
    render: () => renderDraft(entered, sellable, node_id),
    async write() {
      const checked = await checkOf(entered);
      if ("by_field" in checked) return checked;
      if (existsSync(file)) return { by_field: new Map(), other: [`${file} exists already`] };
      writeSecretFile(file, renderDraft(entered, sellable, node_id));
      removeEntered(data_dir);
      return null;
    },
  };
}

/** A wallet's signed statement names the wallet and the node's address, and is not valid for others. */
function dropStaleProofs(before: Entered, after: Entered): Entered {
  const moved = before.publicUrl !== after.publicUrl;
  const stale = WALLETS.filter((wallet) => moved || before[`${wallet}PayTo`] !== after[`${wallet}PayTo`]);
  return { ...after, ...Object.fromEntries(stale.map((wallet) => [proofName(wallet), ""])) };
}
