import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import type { AnswerFacts, DownloadRequest, Validators } from "../catalog/request.ts";
import type { Sink } from "./attempt.ts";
import type { AnswerRule } from "./read-answer.ts";
import { unpackFile } from "./unpack-file.ts";

/** A download's answer is not parsed. */
export const DOWNLOAD: AnswerRule = { format: "bytes", schema: Type.Unknown() };

/** The facts about a finished download. */
export interface Downloaded extends Validators {
  readonly bytes: number;
  readonly sha256: string;
  readonly md5: string;
}

/** A temporary file beside the target, which it replaces at the end. */
const createName = (to: string): string => `${to}.${randomUUID().slice(0, 8)}.part`;

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file, "r");
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

const validatorsOf = ({ etag, last_modified }: AnswerFacts): Validators => ({
  ...(etag === undefined ? {} : { etag }),
  ...(last_modified === undefined ? {} : { last_modified }),
});

/**
 * Writes a body beside its file, unpacks it, and replaces the file in one step, so that a reader sees the old version
 * or the whole new one, even after a crash.
 */
export async function createFileSink({ to, unpack = [] }: Pick<DownloadRequest, "to" | "unpack">): Promise<Sink> {
  const part = createName(to);
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let handle: FileHandle | undefined = await open(part, "wx", 0o600);
  const files = [part];
  const close = async () => {
    const open_handle = handle;
    handle = undefined;
    await open_handle?.close();
  };
  return {
    async take(chunk) {
      sha256.update(chunk);
      md5.update(chunk);
      await handle?.writeFile(chunk);
    },
    async finish(facts) {
      await handle?.datasync();
      await close();
      let whole = part;
      for (const step of unpack) {
        const unpacked = createName(to);
        files.push(unpacked);
        const reason = await unpackFile(whole, unpacked, step);
        if (reason !== undefined) return reason;
        await rm(whole);
        whole = unpacked;
      }
      const bytes = await sizeOf(whole);
      await rename(whole, to);
      const value: Downloaded = { bytes, sha256: sha256.digest("hex"), md5: md5.digest("hex"), ...validatorsOf(facts) };
      return { value };
    },
    async abandon() {
      await close();
      for (const file of files) await rm(file, { force: true });
    },
  };
}
