import type { Static, TSchema } from "@sinclair/typebox";
import type { EachRow } from "./rows.ts";
import type { Unusable } from "./unusable.ts";

/** `latin1` is Windows-1252, as publishers mean it. `utf-16` is little-endian unless its first bytes say otherwise. */
export type Charset = "utf-8" | "latin1" | "utf-16";

/** One packing to be taken off a body. */
export type Unpacking =
  | { readonly kind: "gzip"; readonly bytes_max: number }
  | {
      readonly kind: "zip";
      /** Which file of it, by its whole name or by a pattern that fits one; default: the only one. */
      readonly member?: string | RegExp;
      /** Hard cap of what comes out, whatever the archive says of itself. */
      readonly bytes_max: number;
      /** What an archive without any file means, where a publisher sends that; default: the answer is refused. */
      readonly empty_means?: ErrorMeaning;
    };

/** The meaning of an error body. `not_found`: the subject does not exist, and other providers need not be asked. */
export type ErrorMeaning = "not_found" | "rate_limited" | "auth" | "unavailable" | "bad_response";

/** Recognises a publisher's own error body, such as a 400 that says "unknown symbol". */
export interface ErrorForm {
  /** Default: any status of 400 and above. A 200 that holds an error is recognised by saying 200. */
  readonly status?: number;
  /** The JSON body that means it; a text body is a string. */
  readonly schema: TSchema;
  readonly means: ErrorMeaning;
}

/** What names one version of a document, as the publisher stated it (RFC 9110, 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly last_modified?: string;
}

/** What a reader may know of the answer besides its body. */
export interface AnswerFacts extends Validators {
  readonly status: number;
  /** Of the body as it came, before anything was unpacked. */
  readonly bytes: number;
}

/** Where a request goes and what is sent. */
export interface RequestTarget {
  /** Path and query below the base address, starting with "/"; "" for chain providers. Never holds a secret. */
  readonly path: string;
  /** One of the provider's named `hosts`; default: its base addresses. */
  readonly host?: string;
  /** Chain providers: which `[chains.<name>]`. */
  readonly chain?: string;
  /** Chain providers: asks the chain's second address and no other, to see whether it says the same as the first. */
  readonly second?: boolean;
  /** JSON body; its presence makes the call a POST. */
  readonly body?: unknown;
  /** A form's fields (application/x-www-form-urlencoded) instead of a JSON body. */
  readonly form?: Readonly<Record<string, string>>;
  /** Such as `accept`. Never holds a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the provider's time limit of one attempt. */
  readonly timeout_ms?: number;
  /** Overrides the provider's cap of the body. */
  readonly body_bytes_max?: number;
  /** What it takes from the provider's quotas; default 1. */
  readonly cost?: number;
  readonly errors?: readonly ErrorForm[];
  /** What has to be named beside what this call returns, where that is not `terms.attribution`. */
  readonly attribution?: { readonly text: string; readonly url: string };
}

/**
 * One question to a provider. `schema` says what the answer looks like, `read` what it means: together they give the
 * value or the refusal, once. A refused answer is a failed call (`upstream_bad_response`) in `sources[]`,
 * and the next address is asked.
 */
export interface UpstreamRequest<S extends TSchema, T = Static<S>> extends RequestTarget {
  /** "json" by default. "text" passes the body as a string, "bytes" as a Uint8Array that must not be changed. */
  readonly format?: "json" | "text" | "bytes";
  /** Default "utf-8". A body of another charset is refused: replacement characters would be made-up data. */
  readonly charset?: Charset;
  /** Taken off in this order before the body is read. */
  readonly unpack?: readonly Unpacking[];
  /** Besides 2xx, whose body is an answer too: some JSON-RPC nodes send their errors with status 400. */
  readonly statuses?: readonly number[];
  /** Lists in it are `Rows`, read one by one, or `Whole`, with the reason why. */
  readonly schema: S;
  /**
   * The value, or `unusable(why)` to refuse the answer. Default: the answer as it is. A check that makes only one row
   * unusable goes through `eachRow`, so that the other rows are kept.
   */
  readonly read?: (value: Static<S>, facts: AnswerFacts, eachRow: EachRow) => T | Unusable;
  /** What `read` returns may be a text. Without it a text is refused, because it used to be a refusal. */
  readonly gives_text?: boolean;
  /** How long an answer may be used again; 0 = not at all. */
  readonly ttl_ms: number;
  /** Ask whether the last answer still holds (ETag, If-Modified-Since) before it is sent again. */
  readonly revalidate?: boolean;
}

/** A body written to a file, for bulk data. Nothing of it is kept in memory. */
export interface DownloadRequest extends RequestTarget {
  /** The file to write; replaced only by a whole body. */
  readonly to: string;
  readonly unpack?: readonly Unpacking[];
  /** Of the version that is there already: when it still holds, nothing is written. */
  readonly known?: Validators;
}

export type Download =
  | { readonly unchanged: true; readonly fetched_at_ms: number }
  | ({
      readonly unchanged: false;
      readonly fetched_at_ms: number;
      /** Of the file, after unpacking. */
      readonly bytes: number;
      /** Hex, of the body as it came: what publishers print beside it. */
      readonly sha256: string;
      readonly md5: string;
    } & Validators);
