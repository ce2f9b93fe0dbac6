import { formOf, type OperationName } from "../admin/operations.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { askOperation, type NodePlace, reachNode } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";

export interface AdminOptions extends NodePlace {
  readonly json: boolean;
  readonly [parameter: string]: unknown;
}

/** Calls one operation of the running node's operator API, and prints the answer. */
export async function adminCommand(name: OperationName, options: AdminOptions): Promise<number> {
  const parameters = Object.keys(formOf(name).input.properties);
  const input = Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = options[toOption(parameter)];
      return value === undefined ? [] : [[parameter, value]];
    }),
  );
  try {
    const answer = await askOperation(await reachNode(options), name, input);
    print(options.json ? JSON.stringify(answer) : renderAnswer(answer));
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

/** The name of an option in code: "key_id" is --key-id, which arrives as keyId. */
const toOption = (parameter: string): string =>
  parameter.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An answer for people: names and values, and lists with one entry on each line. */
export function renderAnswer(answer: Readonly<Record<string, unknown>>, indent = ""): string {
  return Object.entries(answer)
    .map(([key, value]) => {
      const name = escapeInvisible(key);
      if (Array.isArray(value)) {
        const lines = value.map((one) => `${indent}  ${renderLine(one)}`);
        return [`${indent}${name}: ${lines.length === 0 ? "none" : ""}`.trimEnd(), ...lines].join("\n");
      }
      if (typeof value === "object" && value !== null) {
        return `${indent}${name}:\n${renderAnswer(value as Record<string, unknown>, `${indent}  `)}`;
      }
      return `${indent}${name}: ${value === null ? "-" : escapeInvisible(String(value))}`;
    })
    .join("\n");
}

/** One entry of a list, without its empty members. */
export function renderLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return escapeInvisible(String(value));
  return Object.entries(value)
    .filter(([, one]) => one !== null && one !== "" && !(Array.isArray(one) && one.length === 0))
    .map(
      ([name, one]) =>
        `${escapeInvisible(name)}=${escapeInvisible(typeof one === "object" ? JSON.stringify(one) : String(one))}`,
    )
    .join("  ");
}
