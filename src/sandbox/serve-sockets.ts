import type { SimulatedSocket } from "../catalog/simulator.ts";

/** A connection of the world server: who plays it, and what ends its own messages. */
export interface SocketData {
  readonly played: SimulatedSocket;
  timer: ReturnType<typeof setInterval> | null;
}

/** Makes a WebSocket of a request, unless the provider has none. */
export function upgrade(
  server: Bun.Server<SocketData>,
  request: Request,
  played: SimulatedSocket | Response,
): Response | undefined {
  if (played instanceof Response) return played;
  const data: SocketData = { played, timer: null };
  return server.upgrade(request, { data }) ? undefined : new Response("Bad Request", { status: 400 });
}

/** The message as JSON, or the text itself. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A simulator says what the provider says to a text that is no JSON.
    return text;
  }
}

/** Plays sockets: answers what is heard, and sends what the provider sends by itself. */
export const socketHandlers: Bun.WebSocketHandler<SocketData> = {
  open(socket) {
    const { played } = socket.data;
    const send = (messages: readonly unknown[]) => {
      for (const message of messages) socket.send(JSON.stringify(message));
    };
    send(played.hear(undefined));
    if (played.push && played.every_ms !== undefined) {
      socket.data.timer = setInterval(() => send(played.push?.() ?? []), played.every_ms);
    }
  },
  message(socket, text) {
    for (const message of socket.data.played.hear(parse(String(text)))) socket.send(JSON.stringify(message));
  },
  close(socket) {
    if (socket.data.timer) clearInterval(socket.data.timer);
  },
};
