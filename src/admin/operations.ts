import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { NodeError } from "../core/errors.ts";
import { closed, oneOf } from "../core/schema-fields.ts";
import { SUMS_BY, type SumsBy } from "../ledger/money.ts";
import type { AdminAnswers } from "./answers.ts";
import { CorrectionInput, ExplanationInput } from "./corrections.ts";
import { KeyCommand } from "./keys.ts";
import { RefundInput } from "./refunds.ts";

/** Something the operator asks a running node, or has it do: one path of the API, one verb, one part of a page. */
export interface OperationForm {
  /** GET reads, POST changes something. */
  readonly method: "GET" | "POST";
  readonly summary: string;
  readonly input: TObject;
}

const nothing = Type.Object({}, closed);
const whole = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
const named = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 120, description }));

/** One command on keys as its own operation: its parameters are in `KeyCommand`. */
function keyOperation(command: KeyCommand["command"], method: OperationForm["method"], summary: string): OperationForm {
  const form = KeyCommand.anyOf.find(({ properties }) => properties.command.const === command);
  return { method, summary, input: form ? Type.Omit(form, ["command"], closed) : nothing };
}

const word = (description: string) => Type.String({ minLength: 1, maxLength: 120, description });
/** What may be said of whatever is switched off. */
const OFF_FIELDS = {
  reason: Type.Optional(Type.String({ maxLength: 2_000, description: "public: buyers read it" })),
  until: Type.Optional(
    Type.String({ maxLength: 30, description: "when it is on again by itself: 2026-12-31, or 2026-12-31T18:00Z" }),
  ),
};

const LEVELS = ["info", "warn", "error"] as const;
const LABELS = ["organic", "operator-test"] as const;
const SUMS = Object.keys(SUMS_BY) as SumsBy[];

/** Every operation, once: the API, its OpenAPI document, the command line and the pages follow from this table. */
export const OPERATIONS = {
  overview: { method: "GET", summary: "How the node does, and what it earned", input: nothing },
  sales: {
    method: "GET",
    summary: "Settled payments, newest first",
    input: Type.Object(
      {
        product: named("id of a product, such as fear-greed"),
        network: named("CAIP-2 id of a network"),
        label: Type.Optional(oneOf(LABELS, "whose payments: of others, or your own tests")),
        before: whole("the `next` of the page before", Number.MAX_SAFE_INTEGER),
        limit: whole("payments a page, 50 unless given", 1_000),
        format: Type.Optional(oneOf(["json", "csv"], "csv gives a table")),
      },
      closed,
    ),
  },
  sales_sums: {
    method: "GET",
    summary: "Sums of settled payments of a period",
    input: Type.Object(
      {
        period: Type.Optional(oneOf(["today", "week", "month", "year"], "the running one, UTC; month unless given")),
        month: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "a month, such as 2026-10" })),
        year: Type.Optional(Type.String({ pattern: "^\\d{4}$", description: "a year, such as 2026" })),
        from: named("first day, UTC, such as 2026-11-01"),
        to: named("last day, UTC, part of the period"),
        by: Type.Optional(oneOf(SUMS, "what they have in common; product unless given")),
      },
      closed,
    ),
  },
  find: {
    method: "GET",
    summary: "The whole story of a payment, call, key or channel",
    input: Type.Object(
      {
        word: Type.String({
          minLength: 1,
          maxLength: 300,
          description: "transaction, payer, id of a receipt, payment, call, voucher, key or request, or a key's label",
        }),
      },
      closed,
    ),
  },
  refund: { method: "POST", summary: "Writes down what you sent back for a sale by hand", input: RefundInput },
  correct: { method: "POST", summary: "Writes down what really came in for a sale", input: CorrectionInput },
  explain: {
    method: "POST",
    summary: "Writes down what a transfer to your wallet is that is no sale",
    input: ExplanationInput,
  },
  products: { method: "GET", summary: "What is sold, how often, how well, and what is not", input: nothing },
  products_off: {
    method: "POST",
    summary: "Takes a product off sale at once: 503 until a time, or 410, and nothing is charged",
    input: Type.Object({ product: word("path of the product, such as /sanctions"), ...OFF_FIELDS }, closed),
  },
  products_on: {
    method: "POST",
    summary: "Sells a product again",
    input: Type.Object({ product: word("path of the product, such as /sanctions") }, closed),
  },
  providers_off: {
    method: "POST",
    summary: "Asks a provider no more, and takes off sale what cannot be made without it",
    input: Type.Object(
      {
        provider: word("id of the provider, such as gdelt"),
        ...OFF_FIELDS,
        yes: Type.Optional(
          Type.Boolean({ description: "true switches it off; without it, what goes with it is only told" }),
        ),
      },
      closed,
    ),
  },
  providers_on: {
    method: "POST",
    summary: "Asks a provider again",
    input: Type.Object({ provider: word("id of the provider, such as gdelt") }, closed),
  },
  switches: { method: "GET", summary: "What is switched off, by the configuration or by you", input: nothing },
  keys: keyOperation("list", "GET", "Prepaid keys, 200 a page"),
  key: keyOperation("show", "GET", "One key with its last calls"),
  key_statement: keyOperation("statement", "GET", "What moved a key's balance, newest first"),
  key_issue: keyOperation("issue", "POST", "Makes a key; it is shown once"),
  key_top_up: keyOperation("top-up", "POST", "Gives a key more credit or time"),
  key_amend: keyOperation("amend", "POST", "Changes a key's label, or what it may spend a day or a call"),
  key_revoke: keyOperation("revoke", "POST", "Ends a key and those below it at once"),
  key_expire: keyOperation("expire", "POST", "Books what is left of a balance that has ended"),
  key_refund: keyOperation("refund", "POST", "Gives back what a call cost, once"),
  sources: {
    method: "GET",
    summary: "Facilitators and providers: state, last error, quotas, terms, and what a missing key would add",
    input: nothing,
  },
  jobs: { method: "GET", summary: "Every job: last run, duration, failures, next run", input: nothing },
  run_job: {
    method: "POST",
    summary: "Runs a job now, and tells how it went",
    input: Type.Object({ job: Type.String({ minLength: 1, maxLength: 200, description: "id of a job" }) }, closed),
  },
  watches: {
    method: "GET",
    summary: "Watches of buyers: how each stands, what it told, what its webhook did not take; 1,000 at most",
    input: nothing,
  },
  attention: {
    method: "GET",
    summary: "Payments that need a look: of unknown outcome, doubted, or never landed",
    input: nothing,
  },
  alerts: { method: "GET", summary: "What is wrong now, and what was told last", input: nothing },
  test_alerts: { method: "POST", summary: "Sends one message by every [[alerts]] entry", input: nothing },
  backups: { method: "GET", summary: "Backups in [backup] dir, and how the last ones went", input: nothing },
  make_backup: { method: "POST", summary: "Makes a backup now, proved before it gets its name", input: nothing },
  config: { method: "GET", summary: "Every key with its value in force and where it comes from", input: nothing },
  reload: {
    method: "POST",
    summary: "Reads the configuration anew and takes what may change while the node runs; all of it, or nothing",
    input: nothing,
  },
  logs: {
    method: "GET",
    summary: "The newest lines of the log",
    input: Type.Object(
      {
        least: Type.Optional(oneOf(LEVELS, "the least level that is shown")),
        event: named("only lines of this event"),
        limit: whole("lines, 200 unless given", 400),
      },
      closed,
    ),
  },
} as const satisfies Readonly<Record<string, OperationForm>>;

export type OperationName = keyof typeof OPERATIONS;
export type OperationInput<N extends OperationName> = Static<(typeof OPERATIONS)[N]["input"]>;

/** What each of them does in a running node. */
export type Operations = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
  ) => Promise<N extends keyof AdminAnswers ? AdminAnswers[N] : object>;
};

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export const formOf = (name: OperationName): OperationForm => OPERATIONS[name];

/** Where an operation is asked for. */
export const operationPath = (name: OperationName): string => `/admin/api/${name.replaceAll("_", "-")}`;

/**
 * Runs one operation with what was sent for it.
 * @param given values by name; texts of a query or a form may be numbers and flags too.
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
