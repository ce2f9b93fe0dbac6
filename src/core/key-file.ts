import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "./compile-schema.ts";

/** What the node makes secrets for. A rotation keeps them all: a new purpose needs a line here. */
export const SECRET_PURPOSES = ["api keys", "coupons", "mpp challenges", "channels"] as const;
export type SecretPurpose = (typeof SECRET_PURPOSES)[number];
/** Secrets for things that live for minutes: a rotation keeps none of these secrets. */
export type PassingPurpose = "sign-in";

const KEYS_MAX = 100;
const Name = Type.String({ pattern: "^node-[1-9][0-9]{0,5}$" });
const Secret = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Retired = Type.Object(
  {
    name: Name,
    public_key: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
    retired_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{8,12}Z$" }),
    compromised: Type.Boolean(),
    secrets: Type.Object(
      {
        "api keys": Type.Optional(Secret),
        coupons: Type.Optional(Secret),
        "mpp challenges": Type.Optional(Secret),
        channels: Type.Optional(Secret),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
const History = Type.Object(
  { version: Type.Literal(1), name: Name, retired: Type.Array(Retired, { maxItems: KEYS_MAX }) },
  { additionalProperties: false },
);
const checkHistory = compileSchema(History);

/** A key the node signed with before: its public half, and the secrets that what it sold still needs. */
export type RetiredKeyEntry = Static<typeof Retired>;

/** What a key file holds besides the key: its name and the earlier keys, newest first. */
export type KeyHistory = Static<typeof History>;

export interface KeyFile {
  readonly pem: string;
  readonly history: KeyHistory;
}

const PEM = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/;
const NOTE = '# Keys of this node before this one, written by "intel-node identity rotate". Part of the key: keep it.';
const FIRST: KeyHistory = { version: 1, name: "node-1", retired: [] };

/**
 * Reads a key file: a PEM block, then, once a key was retired, one line of JSON. One file, so that key and history
 * change together or not at all.
 * @throws TypeError when there is more in it than that.
 */
export function parseKeyFile(text: string): KeyFile {
  const pem = PEM.exec(text)?.[0];
  if (pem === undefined) return { pem: text, history: FIRST };
  const lines = text
    .replace(pem, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) return { pem: `${pem}\n`, history: FIRST };
  const history = lines.length === 1 ? parseLine(lines[0] ?? "") : undefined;
  if (!checkHistory.Check(history)) {
    throw new TypeError("what follows the node's key in the file is not a list of its earlier keys");
  }
  return { pem: `${pem}\n`, history };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws RangeError when the node had too many keys. */
export function renderKeyFile({ pem, history }: KeyFile): string {
  if (history.retired.length > KEYS_MAX) throw new RangeError(`a node has at most ${KEYS_MAX} earlier keys`);
  return `${pem.trim()}\n${NOTE}\n${JSON.stringify(history)}\n`;
}
