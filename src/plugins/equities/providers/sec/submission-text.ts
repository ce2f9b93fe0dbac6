import { Type } from "@sinclair/typebox";
import { type FetchContext, isUnusable, type Unusable, unusable } from "intel-node";
import { sec } from "./provider.ts";

/** One document of a filing, as its filer sent it. */
export interface FiledDocument {
  /** The SEC's type of it: 8-K, EX-99.1, 13F-HR, INFORMATION TABLE. */
  readonly type: string;
  readonly text: string;
}

const HEAD = /^\s*(?:-----BEGIN PRIVACY-ENHANCED MESSAGE-----|<SEC-DOCUMENT>)/;
const DOCUMENT = /<DOCUMENT>\s*<TYPE>([^\n<]{1,60})[\s\S]*?<TEXT>([\s\S]*?)<\/TEXT>/g;

/** The documents of a filing's complete text, or why it is refused: a web page, cut off, or empty. */
export function readSubmissionText(text: string): readonly FiledDocument[] | Unusable {
  if (!HEAD.test(text)) return unusable("no complete text of a filing");
  if (!/<\/SEC-DOCUMENT>\s*(?:-----END PRIVACY-ENHANCED MESSAGE-----\s*)?$/.test(text.slice(-200)))
    return unusable("the filing is cut off");
  const documents = Array.from(text.matchAll(DOCUMENT), ([, type = "", body = ""]) => ({
    type: type.trim(),
    text: body,
  }));
  return documents.length > 0 ? documents : unusable("a filing without documents");
}

export interface FiledText<T> {
  readonly cik: number;
  readonly accession: string;
  readonly body_bytes_max: number;
  /** What is wanted of the documents, or the refusal; the text itself is not kept. */
  readonly read: (documents: readonly FiledDocument[]) => T | Unusable;
  readonly ttl_ms: number;
}

/** A filing with all its documents in one call: the SEC's complete submission text file. @throws UpstreamError */
export function fetchFiled<T>(
  context: Pick<FetchContext, "get">,
  { cik, accession, body_bytes_max, read, ttl_ms }: FiledText<T>,
): Promise<T> {
  return context.get(sec, {
    path: `/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${accession}.txt`,
    format: "text",
    schema: Type.String({ minLength: 40 }),
    body_bytes_max,
    ttl_ms,
    read(text) {
      const documents = readSubmissionText(text);
      return isUnusable(documents) ? documents : read(documents);
    },
  });
}
