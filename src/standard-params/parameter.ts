import { type TString, Type } from "@sinclair/typebox";
import { NodeError } from "../core/errors.ts";

/** A parameter typed once: its schema for `params`, and the reading for `normalise`, `fetch` and `compute`. */
export interface StandardParam<T> {
  readonly schema: TString;
  /**
   * The normal form of what a buyer wrote; the default where he wrote nothing.
   * @throws NodeError invalid_parameter, saying what is taken.
   */
  readonly parse: (text: string | undefined) => T;
}

export interface ParamOptions {
  /** What a buyer reads; how it may be written is added. */
  readonly description: string;
  /** Name of the parameter, for its errors. */
  readonly name?: string;
  /** Used where nothing is given; in its normal form. Without one an empty parameter is refused. */
  readonly default?: string;
}

interface Rules<T> extends ParamOptions {
  readonly name: string;
  /** How it may be written, a sentence. */
  readonly forms: string;
  readonly chars_max: number;
  /** The normal form; null when the text is invalid, or the reason. */
  readonly read: (text: string) => T | null;
  /** Why a text was not read, a half-sentence: "must be one of BTC, ETH". */
  readonly wants: string | ((text: string) => string);
  readonly allowed?: readonly string[] | undefined;
  /** What was probably meant by a text that was not read. */
  readonly near?: (text: string) => string | undefined;
}

const SHOWN_CHARS_MAX = 100;
const ALLOWED_MAX = 100;

/** Puts a standard parameter together. */
export function createParam<T>(rules: Rules<T>): StandardParam<T> {
  const { description, name, forms, chars_max, read, wants, allowed, near } = rules;
  const text_of_forms = forms === "" ? description : `${description} ${forms}`;
  const schema = Type.String({
    description: text_of_forms,
    minLength: 1,
    maxLength: chars_max,
    ...(rules.default === undefined ? {} : { default: rules.default }),
  });
  const parse = (given: string | undefined): T => {
    const text = (given ?? rules.default ?? "").trim();
    const found = text === "" || text.length > chars_max ? null : read(text);
    if (found !== null) return found;
    const nearest = near?.(text);
    throw new NodeError(
      "invalid_parameter",
      `Parameter "${name}" ${typeof wants === "string" ? wants : wants(text)}.`,
      {
        param: name,
        details: {
          parameter: name,
          got: text.slice(0, SHOWN_CHARS_MAX),
          ...(allowed ? { allowed: allowed.slice(0, ALLOWED_MAX) } : {}),
          ...(nearest === undefined ? {} : { nearest }),
        },
      },
    );
  };
  return { schema, parse };
}
