import type { TSchema } from "@sinclair/typebox";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { Drained, SubscriptionRequest } from "../catalog/subscription.ts";
import { isUnusable, judgeReading, type Unusable, unusable } from "../catalog/unusable.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Address } from "./addresses.ts";
import type { UpstreamEvent } from "./events.ts";
import { matches } from "./read-answer.ts";
import { renderReason } from "./redact-url.ts";
import { createStreamRecord } from "./stream-record.ts";

/** One connection, as returned by `connect`. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  onOpen(): void;
  onMessage(text: string): void;
  /** Called once, even if it never opened. */
  onClose(why: string): void;
}

export type Connect = (url: string, headers: Readonly<Record<string, string>>, events: SocketEvents) => Socket;

export interface StreamRequest {
  /** A key that is equal for streams that can share a connection. */
  readonly key: string;
  readonly provider: ProviderDefinition;
  readonly addresses: readonly Address[];
  readonly hello: readonly unknown[];
  /** The value of a message, null for a message without one, or the refusal. */
  readonly read: (message: unknown) => { readonly value: unknown } | Unusable | null;
  readonly silence_ms: number;
  readonly buffer_max: number;
}

export interface Sockets {
  /** The messages since the last call; the first call starts listening. */
  drain(request: StreamRequest): Drained<unknown>;
  /** Ends all connections. */
  close(): void;
}

export interface SocketsOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly connect?: Connect;
  readonly log?: ((event: UpstreamEvent) => void) | undefined;
}

/** The settings of a job's stream. Equal ones share a connection. */
export function createStream<S extends TSchema, T>(
  provider: ProviderDefinition,
  request: SubscriptionRequest<S, T>,
  addresses: readonly Address[],
): StreamRequest {
  const { hello = [], schema, silence_ms, buffer_max } = request;
  return {
    key: JSON.stringify([addresses[0]?.key ?? "", request.path, request.chain ?? "", request.host ?? "", hello]),
    provider,
    addresses,
    hello,
    silence_ms,
    buffer_max,
    read(message) {
      if (!matches(schema, message)) return unusable("a message has another shape");
      const value: unknown = judgeReading(request.read(message), request.gives_text);
      return isUnusable(value) || value === null ? value : { value };
    },
  };
}

/** A stream that was not drained for so long is closed. */
const UNWANTED_MS = 15 * 60_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 60_000;
const STREAMS_MAX = 100;
const MESSAGE_CHARS_MAX = 1_000_000;

/** Bun's own client; headers carry the key. */
const connectWebSocket: Connect = (url, headers, events) => {
  const socket = new WebSocket(url, { headers: { ...headers } });
  let why = "the connection failed";
  socket.addEventListener("open", () => events.onOpen());
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events.onMessage(data);
  });
  socket.addEventListener("error", () => {
    why = "the connection broke";
  });
  socket.addEventListener("close", ({ code }) => events.onClose(code === 1000 ? "it was closed" : why));
  return { send: (text) => socket.send(text), close: () => socket.close() };
};

/** Keeps WebSocket connections of streams that jobs drain: reconnects, and records times without a connection. */
export function createSockets(options: SocketsOptions): Sockets {
  const streams = new Map<string, ReturnType<typeof openStream>>();
  return {
    drain(request) {
      const known = streams.get(request.key);
      if (known) return known.drain();
      if (streams.size >= STREAMS_MAX) throw new RangeError("too many streams");
      const stream = openStream(options, request, () => streams.delete(request.key));
      streams.set(request.key, stream);
      return stream.drain();
    },
    close() {
      for (const stream of [...streams.values()]) stream.end();
    },
  };
}

/** One message of a stream after its reader: a value, nothing, or the refusal. */
function readMessage(request: StreamRequest, text: string): { readonly value: unknown } | Unusable | null {
  if (text.length > MESSAGE_CHARS_MAX) return unusable("a message is too long");
  try {
    return request.read(JSON.parse(text));
  } catch (error) {
    // The parser's own message quotes the text, so it is not passed on.
    return unusable(error instanceof SyntaxError ? "a message is not JSON" : messageOf(error));
  }
}

interface Connection {
  readonly close: () => void;
}

/** Connects once. `onLost` is called once, when the connection ends by itself or stays silent; never after `close`. */
function openConnection(
  { timers, connect = connectWebSocket }: SocketsOptions,
  { request, address }: { readonly request: StreamRequest; readonly address: Address },
  told: { readonly onHeard: (text: string | null) => void; readonly onLost: (why: string) => void },
): Connection {
  let is_over = false;
  let socket: Socket | null = null;
  const lose = (why: string) => {
    if (is_over) return;
    close();
    told.onLost(why);
  };
  const watch = (why: string) => timers.after(request.silence_ms, () => lose(why));
  let cancelSilence = watch("no connection in time");
  const hear = (text: string | null) => {
    if (is_over) return;
    cancelSilence();
    cancelSilence = watch("nothing was heard");
    told.onHeard(text);
  };
  const close = () => {
    is_over = true;
    cancelSilence();
    socket?.close();
  };
  try {
    socket = connect(address.url.replace(/^http/, "ws"), address.headers, {
      onOpen() {
        hear(null);
        for (const message of request.hello) socket?.send(JSON.stringify(message));
      },
      onMessage: hear,
      onClose: lose,
    });
  } catch (error) {
    // Reported later, as any other end is, because the caller has no connection to close yet.
    queueMicrotask(() => lose(messageOf(error)));
  }
  return { close };
}

function openStream(options: SocketsOptions, request: StreamRequest, onEnd: () => void) {
  const { clock, timers, random, log } = options;
  const { provider, addresses } = request;
  const record = createStreamRecord(clock, request.buffer_max);
  let connection: Connection | null = null;
  let failures = 0;
  let turn = 0;
  let cancelWait = () => {};
  let cancelUnwanted = () => {};

  const say = (address: Address, reason?: string) => {
    const message = reason === undefined ? {} : { message: renderReason(`${provider.id}: ${reason}`, address.secrets) };
    log?.({
      event: "upstream_socket",
      provider: provider.id,
      url: address.shown,
      ok: reason === undefined,
      ...message,
    });
  };
  const open = () => {
    const address = addresses[turn % addresses.length];
    if (!address) return;
    connection = openConnection(
      options,
      { request, address },
      {
        onHeard(text) {
          record.hear();
          if (text === null) return say(address);
          failures = 0;
          const read = readMessage(request, text);
          if (isUnusable(read)) {
            record.refuse();
            return say(address, read.why);
          }
          return read === null ? undefined : record.keep(read.value);
        },
        onLost(why) {
          record.lose(why);
          say(address, why);
          const wait_ms = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 20));
          failures += 1;
          turn += 1;
          // Half of it is random, so that many nodes do not return at the same moment.
          cancelWait = timers.after(Math.ceil(wait_ms * (0.5 + random() / 2)), open);
        },
      },
    );
  };
  const end = () => {
    cancelWait();
    cancelUnwanted();
    connection?.close();
    onEnd();
  };
  open();
  return {
    end,
    drain(): Drained<unknown> {
      cancelUnwanted();
      cancelUnwanted = timers.after(UNWANTED_MS, end);
      return record.drain();
    },
  };
}
