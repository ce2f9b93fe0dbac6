import type { Database } from "bun:sqlite";
import type { Writer } from "./writer.ts";

/** Since when the node's public manifest is what it is, across restarts. */
export interface ManifestTime {
  /** The time (Unix seconds) of the manifest with this digest, when it is the one last noted. */
  find(digest: string): number | null;
  /**
   * Notes the manifest that is shown now; another digest than the last one gets the present time.
   * @returns since when it is this one, Unix seconds.
   */
  note(digest: string, now_ms: number): number;
}

interface Noted {
  readonly digest: string;
  readonly changed_at: number;
}

export function createManifestTime({ db, writer }: { readonly db: Database; readonly writer: Writer }): ManifestTime {
  const select = db.query("SELECT digest, changed_at FROM manifest");
  const upsert = db.query(
    `INSERT INTO manifest (id, digest, changed_at) VALUES (1, $digest, $changed_at)
     ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, changed_at = excluded.changed_at`,
  );
  const row = select.get() as { digest: string; changed_at: bigint } | null;
  let noted: Noted | null = row ? { digest: row.digest, changed_at: Number(row.changed_at) } : null;
  let kept = true;

  const keep = ({ digest, changed_at }: Noted) => {
    kept = true;
    // Nobody waits for it: a disk that fails costs the date at the next start, and it is tried again at the next note.
    writer.writeLater(
      () => void upsert.run({ $digest: digest, $changed_at: changed_at }),
      () => {
        kept = false;
      },
    );
  };

  return {
    find: (digest) => (noted?.digest === digest ? noted.changed_at : null),
    note(digest, now_ms) {
      const is_new = noted?.digest !== digest;
      const current: Noted = noted === null || is_new ? { digest, changed_at: Math.floor(now_ms / 1000) } : noted;
      noted = current;
      if (is_new || !kept) keep(current);
      return current.changed_at;
    },
  };
}
