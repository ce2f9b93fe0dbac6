import { connect } from "node:net";

export interface RawOptions {
  /** Break the connection off as soon as everything is sent. */
  readonly hang_up?: boolean;
}

/** Sends bytes as they are, and returns all that came back until the other side closed the connection. */
export function sendRaw(url: string, text: string, { hang_up = false }: RawOptions = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(text, () => {
        if (hang_up) setTimeout(() => socket.destroy(), 20);
      }),
    );
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
