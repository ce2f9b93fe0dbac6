import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NodeError } from "../core/errors.ts";
import { closed } from "../core/schema-fields.ts";

/** Something the operator asks a running node, or has it do: one path of the API, one verb, one part of a page. */
export interface OperationForm {
  /** GET reads, POST changes something. */
  readonly method: "GET" | "POST";
  readonly summary: string;
  readonly input: TObject;
}

const nothing = Type.Object({}, closed);

/** Every operation, once: the API, its OpenAPI document, the command line and the pages follow from this table. */
export const OPERATIONS = {
  reload: {
    method: "POST",
    summary: "Reads the configuration anew and takes what may change while the node runs; all of it, or nothing",
    input: nothing,
  },
} as const satisfies Readonly<Record<string, OperationForm>>;

export type OperationName = keyof typeof OPERATIONS;
export type OperationInput<N extends OperationName> = Static<(typeof OPERATIONS)[N]["input"]>;

/** What each of them does in a running node. */
export type Operations = {
  readonly [N in OperationName]: (input: OperationInput<N>) => Promise<object>;
};

export const formOf = (name: OperationName): OperationForm => OPERATIONS[name];

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

/**
 * Runs one operation with what was sent for it.
 * @param given values by name; texts of a query or a form stand for numbers and flags too.
 * @throws NodeError invalid_parameter, or whatever the operation throws.
 */
export async function runOperation(operations: Operations, name: OperationName, given: unknown): Promise<object> {
  const { input } = formOf(name);
  const value = Value.Convert(input, Value.Clone(given ?? {}));
  if (!Value.Check(input, value)) {
    const fault = Value.Errors(input, value).First();
    const param = fault?.path.slice(1).split("/")[0] ?? "";
    const known = Object.keys(input.properties).join(", ") || "none";
    throw new NodeError(
      "invalid_parameter",
      param === "" ? `Parameters: ${known}.` : `${param}: ${fault?.message}. Parameters: ${known}.`,
      param === "" ? {} : { param },
    );
  }
  // Checked against the schema that its parameter type is derived from.
  const run = operations[name] as (input: unknown) => Promise<object>;
  return run(value);
}
