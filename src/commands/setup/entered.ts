import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../files/secret-file.ts";

/** The answers entered so far, by name of the field. */
export type Entered = Readonly<Record<string, string>>;

export const VALUE_CHARS_MAX = 2_000;
const Kept = Type.Record(Type.String(), Type.String({ maxLength: VALUE_CHARS_MAX }));

/** File of the answers between two starts. It has keys of providers, so only its owner can read it. */
export const enteredFileOf = (data_dir: string): string => join(data_dir, "setup.json");

/** The answers of an earlier set-up; empty without one, or if the file is damaged: then all is asked again. */
export function readEntered(data_dir: string): Entered {
  const file = enteredFileOf(data_dir);
  if (!existsSync(file)) return {};
  try {
    const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(Kept, kept) ? kept : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** @throws Error of the system; the earlier answers are kept then. */
export const writeEntered = (data_dir: string, entered: Entered): void =>
  writeSecretFile(enteredFileOf(data_dir), `${JSON.stringify(entered, null, 2)}\n`);

export const removeEntered = (data_dir: string): void => rmSync(enteredFileOf(data_dir), { force: true });
