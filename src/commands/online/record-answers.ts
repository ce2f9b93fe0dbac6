import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getOwn } from "../../core/own.ts";
import { writeSecretFile } from "../../files/secret-file.ts";
import { VERSION } from "../../releases/version.ts";
import { nameEndpoint } from "../../upstream/endpoint.ts";
import { ENDPOINTS } from "../../upstream/endpoints.gen.ts";
import type { SentCall, WatchCall } from "../../upstream/flight-shared.ts";
import { readBytes } from "../../upstream/read-body.ts";
import { createRedactor } from "../redact.ts";
import { type CutAnswer, cutAnswer } from "./cut-answer.ts";
import type { CheckFinding } from "./finding.ts";

/** Records the answers of publishers during a check. */
export interface Recorder {
  readonly watchCall: WatchCall;
  /** Whether any endpoint of a provider has no answer yet. */
  lacks(provider: string): boolean;
  /** Writes the answers; returns how many there are. */
  write(): CheckFinding;
}

interface Answer extends CutAnswer {
  readonly endpoint: string;
  readonly status: number;
  readonly content_type: string;
  /** Method, path and body of a request, as sent. */
  readonly asked: string;
  readonly terms: string;
}

const ABOUT = "about.json";
const MADE_BY = "intel-node check --online --record";
const LOOK_BYTES_MAX = 8_000_000;
const REFUSAL_BYTES_MAX = 64_000;
/** Longest kept body of a request, which is enough to repeat it. */
const ASKED_CHARS_MAX = 500;
/** Names of headers without a secret of ours. */
const OPEN_HEADERS = ["accept", "user-agent", "content-type", "if-none-match", "if-modified-since"];

/** The program named in a folder as its maker; null without such a name. */
function readMaker(about: string): unknown {
  try {
    return (JSON.parse(readFileSync(about, "utf8")) as { readonly made_by?: unknown }).made_by;
  } catch {
    return null;
  }
}

/** The reason not to write into a folder; null if it is empty, new, or made by this command. */
export function whyNotRecordInto(folder: string): string | null {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return null;
  if (readMaker(join(folder, ABOUT)) === MADE_BY) return null;
  return `--record ${folder}: it is not empty, and no recording of this command`;
}

const isGood = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300;

/** Passes a body on, and reports the part that was read when the reading ends. */
function tapBody(
  body: ReadableStream<Uint8Array>,
  tell: (bytes: Uint8Array, is_whole: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let is_short = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        tell(Buffer.concat(chunks), is_short);
        return controller.close();
      }
      is_short = length + value.byteLength <= LOOK_BYTES_MAX;
      if (is_short) chunks.push(value);
      length += value.byteLength;
      controller.enqueue(value);
    },
    async cancel(reason) {
      if (length > 0) tell(Buffer.concat(chunks), false);
      await reader.cancel(reason);
    },
  });
}

/** Secrets sent with a call, including tokens that were made for it. */
function secretsOfCall({ address }: SentCall, headers: unknown): readonly string[] {
  const sent = Object.entries((headers ?? {}) as Record<string, string>)
    .filter(([name]) => !OPEN_HEADERS.includes(name.toLowerCase()))
    .map(([, value]) => value);
  return [...address.secrets, ...sent, ...sent.flatMap((value) => value.split(" ").slice(1))];
}

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/json/, "json"],
  [/xml|rss/, "xml"],
  [/csv/, "csv"],
  [/html/, "html"],
  [/calendar/, "ics"],
  [/zip/, "zip"],
];
function extensionOf({ is_json, content_type }: Answer): string {
  return is_json ? "json" : (EXTENSIONS.find(([type]) => type.test(content_type))?.[1] ?? "txt");
}

const NAME_CHARS_MAX = 80;
const slugOf = (endpoint: string): string =>
  endpoint
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, NAME_CHARS_MAX);

function nameFiles(answers: readonly Answer[]): readonly (readonly [string, Answer])[] {
  const taken = new Set<string>();
  return answers.map((answer) => {
    const stem = `${slugOf(answer.endpoint)}${isGood(answer) ? "" : `-${answer.status}`}`;
    let name = `${stem}.${extensionOf(answer)}`;
    for (let number = 2; taken.has(name); number += 1) name = `${stem}-${number}.${extensionOf(answer)}`;
    taken.add(name);
    return [name, answer] as const;
  });
}

const renderJSON = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Keeps the first good answer and the first refusal of each endpoint.
 * @param secrets that must not be written, besides those sent with the calls.
 */
export function createRecorder(folder: string, { secrets, now_ms }: { secrets: readonly string[]; now_ms: number }) {
  const kept = new Map<string, Map<string, Answer>>();
  const date = new Date(now_ms).toISOString().slice(0, 10);

  const keep = (asked: SentCall, answer: Answer): void => {
    const own = kept.get(asked.provider.id) ?? new Map<string, Answer>();
    kept.set(asked.provider.id, own);
    const key = `${answer.endpoint} ${isGood(answer)}`;
    // A later, whole answer replaces a partial one.
    if (own.has(key) && !(own.get(key)?.cut?.includes("not read") && answer.cut === null)) return;
    own.set(key, answer);
  };

  const watchCall: WatchCall = (fetch, asked) => async (url, sent) => {
    const response = await fetch(url, sent);
    const { status } = response;
    const content_type = response.headers.get("content-type") ?? "";
    if (response.body === null || (status >= 300 && status < 400)) return response;
    const { body, provider, path } = asked;
    const told = [...secrets, ...secretsOfCall(asked, sent.headers)];
    // Each byte is read as one character.
    const hide = createRedactor([...told, ...told.map((text) => Buffer.from(text).toString("latin1"))]);
    const call = { path, body: body?.text ?? "" };
    const tell = (bytes: Uint8Array, is_whole: boolean): void =>
      keep(asked, {
        ...cutAnswer(bytes, is_whole, hide),
        status,
        content_type: hide(content_type),
        terms: provider.terms.class,
        endpoint: hide(nameEndpoint(call, getOwn(ENDPOINTS, provider.id))),
        asked: hide(`${call.body === "" ? "GET" : "POST"} ${path} ${call.body}`.trim()).slice(0, ASKED_CHARS_MAX),
      });
    const init = { status, headers: response.headers };
    if (isGood(response)) return new Response(tapBody(response.body, tell), init);
    // The caller may not read the body of a refusal.
    const read = await readBytes(response, REFUSAL_BYTES_MAX);
    if (read.ok) tell(read.bytes, true);
    return new Response(read.ok ? read.bytes : null, init);
  };

  const writeProvider = (provider: string, answers: readonly Answer[]): void => {
    const own = join(folder, provider);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { mode: 0o700 });
    const endpoints = nameFiles(answers).map(([file, { bytes, endpoint, status, cut, content_type, asked, terms }]) => {
      writeSecretFile(join(own, file), bytes);
      return {
        endpoint,
        kind: "recorded",
        file,
        date,
        from: `${MADE_BY}, version ${VERSION}`,
        licence: `the publisher's terms (${terms}): look there before it is passed on`,
        cut,
        ...(status === 200 ? {} : { status }),
        note: `${content_type || "no content type"}; asked: ${asked}`,
      };
    });
    writeSecretFile(join(own, "provenance.json"), renderJSON({ provider, endpoints }));
  };

  const recorder: Recorder = {
    watchCall,
    lacks: (provider) => {
      const good = new Set([...(kept.get(provider)?.values() ?? [])].filter(isGood).map(({ endpoint }) => endpoint));
      return (getOwn(ENDPOINTS, provider) ?? []).some((endpoint) => !good.has(endpoint));
    },
    write() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      writeSecretFile(join(folder, ABOUT), renderJSON({ made_by: MADE_BY, version: VERSION, date }));
      for (const [provider, answers] of kept) writeProvider(provider, [...answers.values()]);
      const count = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
      const says = `${count} answers of ${kept.size} providers are written; read them before you pass them on`;
      return { area: "recording", subject: folder, level: "ok", says };
    },
  };
  return recorder;
}
