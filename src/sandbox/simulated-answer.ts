import { gzipSync, zipSync } from "fflate";
import type { Charset } from "../catalog/request.ts";
import type { SimulatedAnswer } from "../catalog/simulator.ts";

const BOM_LE = [0xff, 0xfe];

/** A text as bytes of a charset. The characters that only Windows-1252 has beyond Latin-1 are not simulated. */
export function encodeText(text: string, charset: Charset = "utf-8"): Uint8Array {
  if (charset === "latin1") return Buffer.from(text, "latin1");
  if (charset === "utf-16") return Buffer.concat([Uint8Array.from(BOM_LE), Buffer.from(text, "utf16le")]);
  return Buffer.from(text, "utf8");
}

const toBytes = (content: string | Uint8Array, charset?: Charset): Uint8Array =>
  typeof content === "string" ? encodeText(content, charset) : new Uint8Array(content);

interface Body {
  readonly type: string;
  readonly bytes: Uint8Array;
}

function renderBody(answer: Exclude<SimulatedAnswer, { readonly redirect: string }>): Body {
  if ("json" in answer) return { type: "application/json", bytes: encodeText(JSON.stringify(answer.json)) };
  if ("text" in answer) return { type: "text/plain", bytes: encodeText(answer.text, answer.charset) };
  if ("bytes" in answer) return { type: "application/octet-stream", bytes: answer.bytes };
  if ("gzip" in answer) return { type: "application/gzip", bytes: gzipSync(toBytes(answer.gzip, answer.charset)) };
  const members = Object.entries(answer.zip).map(
    ([name, content]) => [name, toBytes(content, answer.charset)] as const,
  );
  return { type: "application/zip", bytes: zipSync(Object.fromEntries(members)) };
}

/** Whether the caller already has this version (RFC 9110, 13.1). */
function isKnown(answer: Readonly<Record<string, string>>, asked: Headers): boolean {
  const [tag, since] = [asked.get("if-none-match"), asked.get("if-modified-since")];
  if (tag !== null) return tag === answer.etag;
  return since !== null && since === answer["last-modified"];
}

/** Turns an answer into HTTP. `root`: the beginning of the provider's addresses. */
export function renderAnswer(answer: SimulatedAnswer, root: string, asked: Headers = new Headers()): Response {
  const { status = 200, headers = {} } = answer;
  if ("redirect" in answer) {
    const host = answer.host === undefined ? "" : `@${answer.host}`;
    const location = `${root}${host}${answer.redirect}`;
    return new Response(null, { status: answer.status ?? 302, headers: { ...headers, location } });
  }
  if (isKnown(headers, asked)) return new Response(null, { status: 304, headers });
  const { type, bytes } = renderBody(answer);
  return new Response(bytes, { status, headers: { "content-type": type, ...headers } });
}
