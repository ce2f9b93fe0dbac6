import { existsSync, rmSync } from "node:fs";
import { assertFree, type Backup, giveProvedName, partialOf, type RefusedBackup } from "../backup.ts";
import { type PostgresAddress, renderAddress } from "./address.ts";
import { connect } from "./connect.ts";
import { copyProved } from "./move.ts";
import { openPostgresReading } from "./read-only.ts";

/**
 * Writes the books of a database as they are now into one file, the same as a backup of a ledger file: `restore` puts
 * it into a folder, `ledger move` from there into a database.
 * @throws Error when the target exists, the database cannot be read, or the copy is not the same; nothing is left then.
 */
export async function backupPostgres(address: PostgresAddress, to: string): Promise<Backup | RefusedBackup> {
  assertFree(to);
  const reading = await openPostgresReading(address);
  const audit = await reading.audit().finally(reading.close);
  if (!audit.ok) return { file: null, audit };
  const partial = partialOf(to);
  const pool = connect(address, 1);
  try {
    const copied = await copyProved(pool, { to: partial, where: renderAddress(address) });
    return giveProvedName(partial, to, copied.audit);
  } finally {
    await pool.close({ timeout: 1 });
    for (const ending of ["", "-wal", "-shm"]) if (existsSync(partial + ending)) rmSync(partial + ending);
  }
}
