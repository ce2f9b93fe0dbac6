import { SEVERITIES, type Severity } from "../config/alert-events.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { signWebhook } from "../core/sign-webhook.ts";
import { titleOf } from "./plan-messages.ts";
import type { AlertChannel, AlertMessage } from "./types.ts";

/** One [[alerts]] entry of the configuration. */
export interface AlertEntry {
  readonly kind: "ntfy" | "webhook" | "smtp" | "email";
  readonly url?: string;
  readonly token?: string;
  readonly secret?: string;
  readonly host?: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly from?: string;
  readonly to?: string;
  readonly least: Severity;
  /** Events it is told of; empty = all. */
  readonly events: readonly string[];
  /** How often it is reminded of what is critical: a duration such as "4h"; four hours unless given. */
  readonly remind?: string;
  /** Hours of the day, UTC, in which what can wait waits: "22:00-07:00". */
  readonly quiet_hours?: string;
}

export interface ChannelOptions {
  /** Who it is that tells. */
  readonly node_name: string;
  readonly version: string;
}

const KEY_CHARS = 16;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const TIMEOUT_MS = 10_000;
/** How ntfy and mail clients show what is urgent. */
const NTFY_PRIORITY: Readonly<Record<Severity, string>> = { info: "3", warning: "4", critical: "5" };
const NTFY_TAG: Readonly<Record<Severity, string>> = {
  info: "information_source",
  warning: "warning",
  critical: "rotating_light",
};

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** The ways to reach the operator, in the order of the configuration. */
export const createChannels = (entries: readonly AlertEntry[], options: ChannelOptions): readonly AlertChannel[] =>
  entries.map((entry, index) => ({
    name: `${entry.kind} ${index + 1}`,
    key: nameWay(entries, index),
    ...(entry.remind === undefined ? {} : { remind_ms: parseDuration(entry.remind) }),
    isQuiet: createQuiet(entry.quiet_hours),
    wants: ({ severity, event }) =>
      rank(severity) >= rank(entry.least) && (entry.events.length === 0 || entry.events.includes(event)),
    send: createSender(entry, options),
  }));

/** Says where it leads without saying it: a topic may be a secret. */
const keyOf = ({ kind, url = "", host = "", to = "" }: AlertEntry): string =>
  `${kind} ${sha256Hex(JSON.stringify([url, host, to])).slice(0, KEY_CHARS)}`;

/** Two entries that lead to the same place, each for its own events, are two ways. */
function nameWay(entries: readonly AlertEntry[], index: number): string {
  const [key = "", ...before] = entries
    .slice(0, index + 1)
    .map(keyOf)
    .toReversed();
  const same = before.filter((other) => other === key).length;
  return same === 0 ? key : `${key} ${same + 1}`;
}

/** Whether a moment lies in the hours; those that end before they begin go over midnight. */
function createQuiet(hours: string | undefined): (now_ms: number) => boolean {
  if (hours === undefined) return () => false;
  const [from = 0, until = 0] = hours.split("-").map((time) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    return hour * 60 + minute;
  });
  return (now_ms) => {
    const minutes = Math.floor(now_ms / MINUTE_MS) % DAY_MINUTES;
    return from <= until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
  };
}

function createSender(entry: AlertEntry, options: ChannelOptions): AlertChannel["send"] {
  if (entry.kind === "smtp" || entry.kind === "email") return (message) => sendMail(entry, options, message);
  const url = entry.url ?? "";
  if (entry.kind === "ntfy") {
    return (message) => {
      // Header values are Latin-1: names and titles of ours are plain text, whatever the operator called the node.
      const headers: Record<string, string> = {
        Title: plain(`${options.node_name}: ${titleOf(message)}`),
        Priority: message.kind === "closed" ? NTFY_PRIORITY.info : NTFY_PRIORITY[message.severity],
        Tags: message.kind === "closed" ? "white_check_mark" : NTFY_TAG[message.severity],
        ...(entry.token === undefined ? {} : { Authorization: `Bearer ${entry.token}` }),
      };
      return post(url, headers, message.text);
    };
  }
  return (message, now_ms) => {
    const body = JSON.stringify({
      type: `alert.${message.kind}`,
      timestamp: message.at,
      data: { node: options.node_name, ...message },
    });
    const headers = {
      "Content-Type": "application/json",
      ...signWebhook([entry.secret ?? ""], { id: message.id, now_ms, body }),
    };
    return post(url, headers, body);
  };
}

const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?");

/** @throws Error without the address: it may hold a secret topic. */
async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  let status: number;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
    await response.body?.cancel();
    status = response.status;
  } catch (error) {
    throw new Error(
      error instanceof Error && error.name === "TimeoutError" ? "no answer in 10 s" : "could not be reached",
    );
  }
  if (status < 200 || status >= 300) throw new Error(`answered ${status}`);
}

/** @throws Error */
async function sendMail(entry: AlertEntry, { node_name }: ChannelOptions, message: AlertMessage): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const { host, port, user, password: pass, from, to } = entry;
  const transport = createTransport({
    host,
    port,
    // Port 465 speaks TLS from the first byte; on others it is switched on where the server offers it.
    secure: port === 465,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    ...(user === undefined ? {} : { auth: { user, pass } }),
  });
  try {
    const subject = `${node_name}: ${titleOf(message)}`;
    await transport.sendMail({
      from,
      to,
      subject,
      text: `${message.text}\n\n${message.at}\n`,
      messageId: `<${message.id}@intel-node>`,
    });
  } catch (error) {
    throw new Error(hide(messageOf(error), [pass, user]));
  } finally {
    transport.close();
  }
}

const hide = (text: string, secrets: readonly (string | undefined)[]): string =>
  secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, "***") : rest), text);
