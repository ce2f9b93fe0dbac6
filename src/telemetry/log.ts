import pino from "pino";
import type { Timers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { createRepeats } from "./repeats.ts";

export type LogFields = Readonly<Record<string, unknown>>;

/** One finished request. Never holds a query string, a header or a body: those may carry keys. */
export interface RequestRecord {
  readonly request_id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  /** The visitor's address. */
  readonly ip: string | null;
  /** The connected address where it is another: a proxy's. */
  readonly peer?: string | null;
  readonly code: string | null;
}

export interface Log {
  debug(fields: LogFields): void;
  info(fields: LogFields): void;
  warn(fields: LogFields): void;
  error(fields: LogFields): void;
  request(record: RequestRecord): void;
  /** Writes what is held back: lines of the buffer, and how often lines came that were only counted. */
  flush(): void;
  /** The newest lines that were written, oldest first, as JSON. */
  tail(): readonly string[];
  /** Another least level, and further texts that must never be written; what was secret stays so. */
  configure(options: Pick<LogOptions, "level" | "secrets">): void;
}

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** "auto" is pretty on a terminal and JSON elsewhere. */
  readonly format: "auto" | "json" | "pretty";
  /** Texts that must never be written, such as configured API keys. */
  readonly secrets: readonly string[];
  /** Where lines go; default: standard error. */
  readonly write?: (text: string) => void;
  /** The periods after which counted lines are written. */
  readonly timers?: Timers;
}

const FLUSH_EVERY_MS = 250;
const BUFFER_BYTES = 65_536;
/** Lines are handed to the sink together: each call of it costs as much as the line. */
const PENDING_CHARS = 16_384;
const PATH_CHARS_MAX = 200;
const SECRET_CHARS_MIN = 6;
const TAIL_LINES = 400;

/** Real time, of which the last bit keeps no process alive: what is left then, `flush` tells. */
const idleTimers: Timers = {
  elapsed_ms: () => performance.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Loaded only for people at a terminal: most nodes write JSON, and every start would wait for it. */
const loadPretty = (): typeof import("pino-pretty") => require("pino-pretty");

/**
 * JSON lines on standard error, buffered: one write per batch of requests. Problems are written at once. Lines of one
 * cause are counted (repeats.ts), except at level debug.
 */
export function createLog({ level, format, secrets, write, timers = idleTimers }: LogOptions): Log {
  // Bun's own buffered sink: a line costs a copy into its buffer, the system call is shared by many lines.
  const sink = write ? null : Bun.stderr.writer({ highWaterMark: BUFFER_BYTES });
  const is_pretty = format === "pretty" || (format === "auto" && !write && process.stderr.isTTY === true);
  const hidden = new Set<string>();
  const hide = (texts: readonly string[]) => {
    for (const text of texts) if (text.length >= SECRET_CHARS_MIN) hidden.add(text);
  };
  hide(secrets);
  const scrub = (text: string): string => {
    let rest = text;
    for (const secret of hidden) if (rest.includes(secret)) rest = rest.replaceAll(secret, "***");
    return rest;
  };
  let pending = "";
  const hand = () => {
    const text = pending;
    pending = "";
    if (text !== "") void sink?.write(text);
  };
  const collect = (text: string) => {
    pending += text;
    if (pending.length >= PENDING_CHARS) hand();
  };
  const put = write ?? collect;
  const tail: string[] = [];
  const keep = (line: string) => {
    if (tail.length >= 2 * TAIL_LINES) tail.splice(0, TAIL_LINES);
    tail.push(line);
  };
  const raw = (text: string) => {
    keep(text);
    put(text);
  };
  // Parts of an event come as they are; in the text of JSON what nobody sees may be spelled wherever it stands.
  const finish = (text: string): string => escapeInvisible(scrub(text), isLineBreak);
  const out = { write: (text: string) => raw(finish(text)) };
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "event" } as const;
  const formatters = { level: (label: string) => ({ level: label }) };
  const logger = is_pretty
    ? pino(base, loadPretty()({ destination: 2, sync: true, ignore: "level", messageKey: "event" }))
    : pino({ ...base, formatters }, out);
  let requests_on = logger.isLevelEnabled("info");

  const pass = () => {
    try {
      hand();
      void sink?.flush();
    } catch (error) {
      // A full or closed standard error must not stop the node from serving.
      lost = messageOf(error);
    }
  };
  let lost = "";
  const timer = sink ? setInterval(pass, FLUSH_EVERY_MS) : null;
  timer?.unref();

  const emit = (kind: "debug" | "info" | "warn" | "error", { event = kind, ...fields }: LogFields) => {
    const shown = plain(lost === "" ? fields : { ...fields, log_lost: lost }, is_pretty);
    const text = harmless(String(event), is_pretty);
    const line = is_pretty ? null : renderLine(kind, shown, text);
    if (line === null) logger[kind](shown, text);
    else if (logger.isLevelEnabled(kind)) raw(finish(line));
    if (is_pretty && logger.isLevelEnabled(kind)) {
      keep(finish(JSON.stringify({ level: kind, time: isoNow(), event, ...shown })));
    }
    if (kind !== "info" && kind !== "debug") pass();
  };
  const repeats = createRepeats({ timers, now_ms: Date.now, tell: emit });
  const say = (kind: "info" | "warn" | "error", fields: LogFields) => {
    if (!logger.isLevelEnabled(kind)) return;
    if (logger.isLevelEnabled("debug") || !repeats.counts(kind, fields)) emit(kind, fields);
  };

  return {
    debug: (fields) => {
      if (logger.isLevelEnabled("debug")) emit("debug", fields);
    },
    info: (fields) => say("info", fields),
    warn: (fields) => say("warn", fields),
    error: (fields) => say("error", fields),
    request(record) {
      if (!requests_on) return;
      if (is_pretty) {
        const { request_id: _, ...shown } = record;
        logger.info(
          `${record.method} ${record.path} ${record.status} ${shown.duration_ms.toFixed(1)} ms ${shown.code ?? ""}`,
        );
        return;
      }
      // Written by hand: this runs for every request, and only the path can hold a character that needs escaping.
      const { request_id, method, path, status, duration_ms, ip, peer, code } = record;
      raw(
        `{"level":"info","time":"${isoNow()}","event":"request","request_id":"${request_id}",` +
          `"method":"${method}","path":${quotePath(path)},"status":${status},` +
          `"duration_ms":${renderMs(duration_ms)}${ip === null ? "" : `,"ip":"${ip}"`}` +
          `${peer ? `,"peer":"${peer}"` : ""}` +
          `${code === null ? "" : `,"code":"${code}"`}}\n`,
      );
    },
    flush() {
      repeats.tell();
      pass();
    },
    tail: () => tail.slice(-TAIL_LINES).map((line) => line.trimEnd()),
    configure(wanted) {
      hide(wanted.secrets);
      logger.level = wanted.level;
      requests_on = logger.isLevelEnabled("info");
    },
  };
}

let iso_ms = 0;
let iso_text = "";
/** The time as ISO 8601, rendered once per millisecond. */
function isoNow(): string {
  const now = Date.now();
  if (now !== iso_ms) {
    iso_ms = now;
    iso_text = new Date(now).toISOString();
  }
  return iso_text;
}

/**
 * A line as the logger writes it, at a fraction of the time: a call that is paid for on a chain has three of them
 * (settle, sale, request).
 * @returns null for what JSON has no form for: the logger has one.
 */
function renderLine(level: string, shown: Readonly<Record<string, unknown>>, event: string): string | null {
  try {
    const fields = JSON.stringify(shown).slice(1, -1);
    const head = `{"level":"${level}","time":"${isoNow()}",`;
    return `${head}${fields}${fields === "" ? "" : ","}"event":${JSON.stringify(event)}}\n`;
  } catch {
    return null;
  }
}

/** The digits after the whole milliseconds, by microsecond: spelling a fraction costs as much as half a line. */
const PARTS_OF_MS = Array.from({ length: 1_000 }, (_, us) => String(us / 1000).slice(1));
const renderMs = (ms: number): string => {
  const us = Math.round(ms * 1000);
  const part = us % 1000;
  return `${(us - part) / 1000}${PARTS_OF_MS[part]}`;
};

const PLAIN_PATH = /^[A-Za-z0-9/_.:-]*$/;
/** A path as JSON text; what needs no escaping is not walked again. */
const quotePath = (path: string): string => {
  const shown = path.length > PATH_CHARS_MAX ? path.slice(0, PATH_CHARS_MAX) : path;
  return PLAIN_PATH.test(shown) ? `"${shown}"` : JSON.stringify(harmless(shown, false));
};

const TEXT_CHARS_MAX = 4_000;
/** Nothing in it to spell: nearly every text. */
const PRINTABLE = /^[ -~]*$/;
/** JSON spells these itself. */
const isControl = (char: string): boolean => char < " ";
const isLineBreak = (char: string): boolean => char === "\n";

/** A text as a line may hold it: bounded, and what could forge a line spelled out. JSON spells out controls itself. */
function harmless(text: string, is_pretty: boolean): string {
  if (text.length <= TEXT_CHARS_MAX && PRINTABLE.test(text)) return text;
  const cut = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
  return is_pretty ? escapeInvisible(cut) : escapeInvisible(cut, isControl);
}

/** Errors and bigints have no JSON form of their own. */
function plain(fields: LogFields, is_pretty: boolean): Record<string, unknown> {
  const plain_fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const shown = value instanceof Error ? messageOf(value) : typeof value === "bigint" ? value.toString() : value;
    plain_fields[name] =
      typeof shown === "string" ? harmless(shown, is_pretty) : is_pretty ? harmlessParts(shown) : shown;
  }
  return plain_fields;
}

/** What has parts is shown by the terminal's own renderer, unless a part of it could order the terminal about. */
function harmlessParts(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    const text = JSON.stringify(value);
    return PRINTABLE.test(text) ? value : escapeInvisible(text);
  } catch (error) {
    return error instanceof TypeError ? value : messageOf(error);
  }
}
