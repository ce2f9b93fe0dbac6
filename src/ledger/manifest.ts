import type { Database } from "bun:sqlite";
import type { Promised } from "./promised.ts";
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

export interface NotedManifest {
  readonly digest: string;
  /** Unix seconds. */
  readonly changed_at: number;
}

export interface ManifestQueries {
  read(): NotedManifest | null;
}

export interface ManifestCommands {
  /** Nobody need wait for it. Rejects when it could not be written. */
  note(noted: NotedManifest): Promise<void>;
}

export type ManifestBooks = ManifestCommands & Promised<ManifestQueries>;

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

/** What is shown is known here; the books keep it for the next start. */
export function createManifestTime(books: ManifestCommands, at_start: NotedManifest | null): ManifestTime {
  let noted = at_start;
  let kept = true;

  const keep = (next: NotedManifest) => {
    kept = true;
    // Nobody waits for it: a disk that fails costs the date at the next start, and it is tried again at the next note.
    books.note(next).catch(() => {
      kept = false;
    });
  };

  return {
    find: (digest) => (noted?.digest === digest ? noted.changed_at : null),
    note(digest, now_ms) {
      const is_new = noted?.digest !== digest;
      const current = noted === null || is_new ? { digest, changed_at: Math.floor(now_ms / 1000) } : noted;
      noted = current;
      if (is_new || !kept) keep(current);
      return current.changed_at;
    },
  };
}
