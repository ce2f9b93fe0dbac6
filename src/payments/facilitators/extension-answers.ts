import { Type } from "@sinclair/typebox";
import { createReader } from "../codec.ts";
import { plainReason } from "../refusal.ts";

/** What a facilitator said of an extension that went with payments, and how often. */
export interface ExtensionAnswer {
  readonly facilitator: string;
  readonly extension: string;
  readonly status: string;
  /** Why it was rejected; null otherwise. */
  readonly reason: string | null;
  readonly count: number;
}

/**
 * What facilitators answer to extensions, such as whether a catalog took the product: for the operator only. Counted
 * since the start.
 */
export interface ExtensionAnswers {
  /** Reads an EXTENSION-RESPONSES header, whatever is in it. Never throws. */
  note(facilitator: string, header: string): void;
  /** Most frequent first. */
  list(): readonly ExtensionAnswer[];
}

const HEADER_CHARS_MAX = 8_192;
const EXTENSIONS_MAX = 20;
const STATUSES = ["success", "processing", "rejected"];
/** Kinds of answers that are counted separately; further ones are counted together. */
const KINDS_MAX = 200;
const OTHER = { facilitator: "other", extension: "other", status: "other", reason: null };

const readWords = createReader(
  Type.Object({
    status: Type.String({ maxLength: 100 }),
    rejectedReason: Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()])),
  }),
);

/** @param log told of every answer. */
export function createExtensionAnswers(log: (event: Readonly<Record<string, unknown>>) => void): ExtensionAnswers {
  const counts = new Map<string, ExtensionAnswer>();
  const count = (answer: Omit<ExtensionAnswer, "count">) => {
    const { facilitator, extension, status, reason } = answer;
    const key = JSON.stringify([facilitator, extension, status, reason]);
    const before = counts.get(key)?.count ?? 0;
    if (before === 0 && counts.size >= KINDS_MAX && answer !== OTHER) return count(OTHER);
    counts.set(key, { ...answer, count: before + 1 });
  };

  return {
    note(facilitator, header) {
      const answers = readHeader(header);
      if (answers === null) {
        log({ event: "extension_answer_unreadable", facilitator });
        return;
      }
      for (const [name, value] of answers) {
        const words = readWords(value);
        const said = words?.status ?? "";
        const answer = {
          facilitator,
          extension: plainReason(name),
          status: STATUSES.includes(said) ? said : "other",
          reason: words?.rejectedReason ? plainReason(words.rejectedReason) : null,
        };
        log({ event: "extension_answer", ...answer });
        count(answer);
      }
    },
    list: () => [...counts.values()].sort((a, b) => b.count - a.count),
  };
}

/** Names and answers, or null when there is nothing to read. */
function readHeader(header: string): readonly (readonly [name: string, value: unknown])[] | null {
  if (header.length > HEADER_CHARS_MAX) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return Object.entries(value).slice(0, EXTENSIONS_MAX);
  } catch {
    // Not base64 of JSON: the facilitator's fault, and of no consequence for the payment.
    return null;
  }
}
