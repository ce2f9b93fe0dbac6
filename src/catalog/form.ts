import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../core/errors.ts";
import { listUnknown } from "./definition-site.ts";
import type { Envelope } from "./envelope.ts";
import type { Offering } from "./offering.ts";

/**
 * Answers in another API's form, such as OpenAI's, for clients that know nothing of this node. `data` is then the
 * schema of the whole answer, which has no envelope and no views; the 402 stays x402's. Other products cannot
 * ask for it.
 */
export interface AnswerForm<P extends TObject = TObject, D extends TSchema = TSchema> {
  /** The answer as it goes out, made of the checked data and what the envelope would say; it must match `data`. */
  readonly render?: (envelope: Omit<Envelope, "data"> & { readonly data: Static<D> }) => Static<D>;
  /** Brings a JSON body to the parameters, before they are checked. @throws NodeError, which `renderError` words. */
  readonly readBody?: (body: unknown, node: Pick<Offering, "config">) => unknown;
  /** Every error but the 402's. It may hold what the buyer may know, and nothing else is in it. */
  readonly renderError: (error: FormError) => { readonly status: number; readonly body: object };
  /** Members of every 402 body, besides x402's own. */
  readonly in_402?: Readonly<Record<string, unknown>>;
  /** Of a path that takes POST alone: a GET that brings nothing to pay with gets the 402. */
  readonly shows_402_to_get?: boolean;
  /** Most bytes of a body; no more than what the operator allows for all. */
  readonly body_bytes_max?: number;
  /**
   * The whole, checked and paid answer as server-sent events, each without "data:" and line ends, where the parameters
   * ask for that; null sends it as it is. Nothing is sent before it is paid, so a stream never breaks off unpaid.
   */
  readonly toEvents?: (params: Static<P>, answer: Static<D>) => readonly string[] | null;
}

/** A failed call, as the one who called may know it. */
export interface FormError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly request_id: string;
  /** "unknown" only while a settlement's outcome is not known. */
  readonly charged: false | "unknown";
  /** Signed statement that the call cost nothing. */
  readonly no_charge: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: the schemas are private to one product and erased here on purpose.
export type AnyAnswerForm = AnswerForm<any, any>;

const FORM_OPTIONS: Readonly<Record<keyof AnyAnswerForm, true>> = {
  render: true,
  readBody: true,
  renderError: true,
  in_402: true,
  shows_402_to_get: true,
  body_bytes_max: true,
  toEvents: true,
};

/** What is wrong with a form, in words. */
export function listFormFaults(form: AnyAnswerForm | undefined, methods: readonly string[]): readonly string[] {
  if (form === undefined) return [];
  const faults = [...listUnknown(form, FORM_OPTIONS, "form.")];
  if (typeof form.renderError !== "function") faults.push("form.renderError is needed");
  if (form.shows_402_to_get === true && methods.includes("GET")) {
    faults.push("form.shows_402_to_get is for paths that take POST alone");
  }
  return faults;
}

/** What goes out in the place of an envelope. */
export const renderInForm = (form: AnyAnswerForm | undefined, envelope: Envelope): unknown =>
  form === undefined ? envelope : (form.render?.(envelope) ?? envelope.data);
