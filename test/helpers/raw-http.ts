import { connect } from "node:net";

/**
 * Before a connection is broken off: a server in this process has that many turns to read what was sent, however late
 * its timers are.
 */
const TURNS = 5;
const TURN_MS = 4;

export interface RawOptions {
  /** Break the connection off as soon as everything is sent. */
  readonly hang_up?: boolean;
}

/** Sends bytes as they are, and returns all that came back until the other side closed the connection. */
export function sendRaw(url: string, text: string, { hang_up = false }: RawOptions = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const hangUpAfter = (turns: number): void => {
      if (turns === 0) socket.destroy();
      else setTimeout(() => hangUpAfter(turns - 1), TURN_MS);
    };
    const socket = connect(Number(port), hostname, () =>
      socket.write(text, () => {
        if (hang_up) hangUpAfter(TURNS);
      }),
    );
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
