import type { Database } from "bun:sqlite";
import type { ManifestCommands, ManifestQueries } from "../manifest.ts";
import type { Writer } from "../writer.ts";

export function createManifestQueries(db: Database): ManifestQueries {
  const select = db.query("SELECT digest, changed_at FROM manifest");
  return {
    read() {
      const row = select.get() as { digest: string; changed_at: bigint } | null;
      return row ? { digest: row.digest, changed_at: Number(row.changed_at) } : null;
    },
  };
}

export function createManifestCommands({
  db,
  writer,
}: {
  readonly db: Database;
  readonly writer: Writer;
}): ManifestCommands {
  const upsert = db.query(
    `INSERT INTO manifest (id, digest, changed_at) VALUES (1, $digest, $changed_at)
     ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, changed_at = excluded.changed_at`,
  );
  return {
    note: ({ digest, changed_at }) =>
      new Promise((resolve, reject) => {
        writer.writeLater(() => void upsert.run({ $digest: digest, $changed_at: changed_at }), reject, resolve);
      }),
  };
}
