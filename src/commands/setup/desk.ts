import { existsSync } from "node:fs";
import { writeSecretFile } from "../../files/secret-file.ts";
import { SETUP_STEPS, type SetupField, type SetupStep } from "../../pages/setup/fields.ts";
import type { LoadedFile } from "../load-config-file.ts";
import { checkDraft, type DraftFaults, proofName, renderDraft, WALLETS } from "./draft.ts";
import { type Entered, readEntered, removeEntered, VALUE_CHARS_MAX, writeEntered } from "./entered.ts";
import { fieldsOf, type Sellable } from "./fields.ts";

/** What is wrong with what was filled in at a step, by the field's name. */
export type StepFaults = ReadonlyMap<string, string>;

/** What was entered, and the file that comes of it. */
export interface SetupDesk {
  readonly entered: Entered;
  fields(step: SetupStep): readonly SetupField[];
  /** Keeps the answers of a step, unless one of them is wrong: then nothing is kept. */
  save(step: SetupStep, given: Entered): Promise<StepFaults>;
  /** Keeps what no form asks for, such as what a wallet signed. */
  keep(values: Entered): void;
  /** The configuration as the node would read it now, or what is wrong with it. */
  check(): Promise<LoadedFile | DraftFaults>;
  /** The text of the file as it would be written. */
  render(): string;
  /** Writes the file, whole or not at all, unless something is wrong with it. */
  write(): Promise<DraftFaults | null>;
}

export interface SetupDeskOptions {
  /** The configuration file that is to be written. */
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

/** What a wallet signed names the wallet and the node's address: it says nothing of others. */
function dropStaleProofs(before: Entered, after: Entered): Entered {
  const moved = before.publicUrl !== after.publicUrl;
  const stale = WALLETS.filter((wallet) => moved || before[`${wallet}PayTo`] !== after[`${wallet}PayTo`]);
  return { ...after, ...Object.fromEntries(stale.map((wallet) => [proofName(wallet), ""])) };
}
