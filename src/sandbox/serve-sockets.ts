import type { SimulatedSocket } from "../catalog/simulator.ts";

/** A connection of the world server: its player, and the timer of the messages sent unasked. */
export interface SocketData {
  readonly played: SimulatedSocket;
  timer: ReturnType<typeof setInterval> | null;
}

/** Upgrades a request to a WebSocket, if the provider has one. */
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
    // The simulator decides what the provider answers to text that is not JSON.
    return text;
  }
}

/** Plays sockets: answers messages, and sends those that the provider sends unasked. */
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
