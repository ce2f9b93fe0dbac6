import { fitHeader } from "./challenge-header.ts";

/** What a refusal tells; its members stand in place of the offer's own. */
export interface Told {
  readonly error: string;
  readonly [name: string]: unknown;
}

/** The offer in one version of the protocol. */
interface OfferText {
  /** Of the body. */
  readonly offer: object;
  /** Of the header, from the one that says most. */
  readonly forms: readonly { readonly error: string }[];
}

export interface RefusedTextOptions {
  readonly versions: { readonly 1: OfferText; readonly 2: OfferText };
  /** Members that a form of the product's own has in every 402. */
  readonly in_form: object;
}

/** Headers that are kept: one for each reason, of which there are few. */
const HEADERS_MAX = 20;
/** Members that are told anew each time, or not at all. */
const TOLD: ReadonlySet<string> = new Set([
  ...["error", "code", "detail", "request_id", "charged", "diagnostic", "no_charge"],
]);

const without = (value: object, names: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names(name)));

/**
 * Renders the 402 of refused payments. Whatever is the same in every one of them is rendered once: a refused payment
 * costs its sender nothing.
 */
export function createRefusedText({ versions, in_form }: RefusedTextOptions) {
  const rests = new Map<1 | 2, string>();
  const headers = new Map<string, string>();

  /** JSON of what follows the told members, without its first brace. */
  const restOf = (protocol: 1 | 2): string => {
    const kept = rests.get(protocol);
    if (kept !== undefined) return kept;
    const offer = without(versions[protocol].offer, (name) => TOLD.has(name));
    const rest = JSON.stringify({ ...offer, ...in_form }).slice(1);
    rests.set(protocol, rest);
    return rest;
  };

  /** @param beside bytes of further header fields. */
  return (told: Told, { protocol, beside }: { readonly protocol: 1 | 2; readonly beside: number }) => {
    const own = without(told, (name) => Object.hasOwn(in_form, name));
    const head = JSON.stringify(own).slice(0, -1);
    const body = `${head}${head === "{" ? "" : ","}${restOf(protocol)}`;
    const name = `${protocol} ${beside} ${told.error}`;
    let header = headers.get(name);
    if (header === undefined) {
      header = fitHeader(versions[protocol].forms, told.error, beside);
      if (headers.size >= HEADERS_MAX) headers.clear();
      headers.set(name, header);
    }
    return { body, header };
  };
}
