import dgram from "node:dgram";

/** What a name server says: addresses of the asked family, no such name, a failure, or nothing at all. */
export type DNSAnswer = readonly string[] | "no_such_name" | "failure" | "silence";

/** `count` is how often this name and family was asked before, so that an answer can change: that is rebinding. */
export type AnswerDNS = (name: string, family: 4 | 6, count: number) => DNSAnswer;

export interface DNSServer {
  /** "127.0.0.1:5300" */
  readonly address: string;
  readonly asked: readonly string[];
  close(): void;
}

const [TYPE_A, TYPE_AAAA] = [1, 28];

function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message[offset] ?? 0; length > 0; length = message[offset] ?? 0) {
    labels.push(message.toString("latin1", offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(offset + 1), end: offset + 5 };
}

function toBytes(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [left = "", right = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [groups(left), groups(right)];
  const all = [...head, ...new Array(8 - head.length - tail.length).fill(0), ...tail];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

/** An answer of RFC 1035 section 4.1, its names written as pointers to the question. */
function render(question: Buffer, type: number, answer: readonly string[] | number): Buffer {
  const code = typeof answer === "number" ? answer : 0;
  const records = typeof answer === "number" ? [] : answer;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.fill(0, 8, 12);
  const parts = records.map((address) => {
    const data = toBytes(address);
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([head, ...parts]);
}

/** A name server on loopback that says whatever a test wants. */
export async function startDNSServer(answer: AnswerDNS): Promise<DNSServer> {
  const socket = dgram.createSocket("udp4");
  const asked: string[] = [];
  const counts = new Map<string, number>();
  socket.on("message", (message, from) => {
    const { name, type, end } = readQuestion(message);
    if (type !== TYPE_A && type !== TYPE_AAAA) return;
    const key = `${name} ${type === TYPE_A ? 4 : 6}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    asked.push(key);
    const said = answer(name, type === TYPE_A ? 4 : 6, count);
    if (said === "silence") return;
    const codes = { no_such_name: 3, failure: 2 };
    const reply = render(message.subarray(0, end), type, typeof said === "string" ? codes[said] : said);
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}
