import type { Promised } from "./promised.ts";

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

/** The shown value is known here; the books keep it for the next start. */
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
