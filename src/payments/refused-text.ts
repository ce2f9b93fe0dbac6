import { cutAtAddress } from "./called-address.ts";
import { type FittedHeader, fitHeader } from "./challenge-header.ts";

/** The members of a refusal; they replace the offer's own. */
export interface RefusalTold {
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
  /** The product's address. */
  readonly url: string;
  readonly versions: { readonly 1: OfferText; readonly 2: OfferText };
  /** Bytes of the head that every 402 of the product takes for further fields. */
  readonly beside_always: number;
  /** Members that a form of the product's own has in every 402. */
  readonly in_form: object;
}

/** The ways to pay, when they say more than those of every other answer. */
interface Corrected {
  readonly accepts: readonly object[];
  readonly in_header: readonly object[];
}

interface RefusedForm {
  readonly protocol: 1 | 2;
  /** Bytes of further header fields. */
  readonly beside: number;
  readonly corrected?: Corrected | null;
  /** The call's query, as `renderQuery` writes it. */
  readonly query?: string;
}

interface QueryPosition {
  readonly beside: number;
  readonly query: string;
}

/** Headers that are kept: one for each reason, of which there are few. */
const HEADERS_MAX = 20;
/** Members that differ each time, or are left out. */
const TOLD: ReadonlySet<string> = new Set([
  ...["error", "code", "detail", "request_id", "charged", "diagnostic", "no_charge"],
]);

const without = (value: object, names: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names(name)));

/**
 * Renders the 402 of refused payments. Whatever is the same in every one of them is rendered once: a refused payment
 * costs its sender nothing.
 */
export function createRefusedText({ url, versions, in_form, beside_always }: RefusedTextOptions) {
  const rests = new Map<1 | 2, readonly string[]>();
  const headers = new Map<string, FittedHeader>();

  /** JSON of what follows the told members, without its first brace, cut where a query belongs. */
  const restOf = (protocol: 1 | 2): readonly string[] => {
    const kept = rests.get(protocol);
    if (kept !== undefined) return kept;
    const offer = without(versions[protocol].offer, (name) => TOLD.has(name));
    const rest = cutAtAddress(JSON.stringify({ ...offer, ...in_form }).slice(1), url);
    rests.set(protocol, rest);
    return rest;
  };

  /** The channel's state differs in each of them. */
  const renderCorrected = (told: RefusalTold, { accepts, in_header }: Corrected, { beside, query }: QueryPosition) => {
    const { offer, forms } = versions[2];
    const rest = without(offer, (name) => TOLD.has(name));
    const body = cutAtAddress(JSON.stringify({ ...told, ...rest, accepts, ...in_form }), url).join(query);
    const shown = forms.map((form) => ({ ...form, accepts: in_header }));
    return { body, header: fitHeader(shown, told.error, { url, beside: beside_always + beside })(query) };
  };

  /** @param beside bytes of further header fields. */
  return (told: RefusalTold, { protocol, beside, corrected = null, query = "" }: RefusedForm) => {
    if (corrected !== null && protocol === 2) return renderCorrected(told, corrected, { beside, query });
    const own = without(told, (name) => Object.hasOwn(in_form, name));
    const head = JSON.stringify(own).slice(0, -1);
    const body = `${head}${head === "{" ? "" : ","}${restOf(protocol).join(query)}`;
    const name = `${protocol} ${beside} ${told.error}`;
    let header = headers.get(name);
    if (header === undefined) {
      header = fitHeader(versions[protocol].forms, told.error, { url, beside: beside_always + beside });
      if (headers.size >= HEADERS_MAX) headers.clear();
      headers.set(name, header);
    }
    return { body, header: header(query) };
  };
}
