import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../files/secret-file.ts";

/** What was entered so far, by the names of the fields. */
export type Entered = Readonly<Record<string, string>>;

export const VALUE_CHARS_MAX = 2_000;
const Kept = Type.Record(Type.String(), Type.String({ maxLength: VALUE_CHARS_MAX }));

/** Where it is kept between two starts; keys of providers are in it, so only its owner reads it. */
export const enteredFileOf = (data_dir: string): string => join(data_dir, "setup.json");

/** What is kept of an earlier set-up; nothing where there was none, or where the file is damaged: it is asked again. */
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

/** @throws Error of the system; what was kept before is kept then. */
export const writeEntered = (data_dir: string, entered: Entered): void =>
  writeSecretFile(enteredFileOf(data_dir), `${JSON.stringify(entered, null, 2)}\n`);

export const removeEntered = (data_dir: string): void => rmSync(enteredFileOf(data_dir), { force: true });
