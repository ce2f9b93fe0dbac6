import { readFileSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { PolicyError, parsePolicy, type WitnessPolicy } from "../trust/witness-policy.ts";

/** Reads a file that says which witnesses are enough. @returns what is wrong with it, where something is */
export function loadPolicy(file: string): WitnessPolicy | string {
  const name = file.slice(0, 200);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return `${name} cannot be read: ${messageOf(error)}`;
  }
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof PolicyError) return `${name} is no policy: ${error.message}`;
    throw error;
  }
}
