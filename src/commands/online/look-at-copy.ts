import type { Config } from "../../config/schema.ts";
import { messageOf } from "../../core/errors.ts";
import { readCopyPlace } from "../../files/copy-order.ts";
import { describeCopy } from "../../ledger/copy/choose-restore.ts";
import { readNames } from "../../ledger/copy/copy-names.ts";
import { openCopyStore } from "../../ledger/copy/open-store.ts";
import type { CheckFinding } from "./finding.ts";

const TIMEOUT_MS = 10_000;

/** Checks that the store of the continuous copy answers, and lists its content. Writes nothing. */
export async function lookAtCopy({ copy }: Pick<Config, "copy">): Promise<readonly CheckFinding[]> {
  const { to } = copy;
  if (to === undefined) return [];
  const base = { area: "backup", subject: to } as const;
  try {
    const list = readNames(await openCopyStore(readCopyPlace(to, copy), TIMEOUT_MS).list());
    if (list.keys.length === 0) return [{ ...base, level: "ok", says: "answers, and is empty yet" }];
    return [{ ...base, level: "ok", says: `the continuous copy: ${describeCopy(list)}` }];
  } catch (error) {
    const todo = "see [copy]: the address, the key and its rights (list, read, write, delete)";
    return [{ ...base, level: "fail", says: `no continuous copy: ${messageOf(error)}`, todo }];
  }
}
