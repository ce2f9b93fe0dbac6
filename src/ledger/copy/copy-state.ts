/** Where the copy goes; plain data, for it is handed to the thread of the books. */
export interface CopyOrder {
  /** Owner of the books, by a stable name. */
  readonly owner: string;
  readonly place: CopyPlace;
  /** How often new commits are looked for. */
  readonly every_ms: number;
  /** Every minute of so much past can be restored. */
  readonly keep_ms: number;
}

export type CopyPlace =
  | { readonly kind: "folder"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** Without a slash at its end; "" for the whole bucket. */
      readonly prefix: string;
      readonly endpoint?: string;
      readonly region?: string;
      readonly access_key_id: string;
      readonly secret_access_key: string;
    };

/** How far the copy is, as the thread of the books last said. */
export interface CopyState {
  /** The place as the operator wrote it. */
  readonly to: string;
  /** The oldest commit that the place does not hold yet, ms; null while it holds everything. */
  readonly waiting_since_ms: number | null;
  /** When the newest commit that it holds was made, ms; null before there is one. */
  readonly copied_ms: number | null;
  /** When the newest whole image was taken, ms; null before there is one. */
  readonly snapshot_ms: number | null;
  /** Why the last try failed, or null. */
  readonly failing: string | null;
}

/** How many seconds of commits the place lacks. */
export const secondsBehind = ({ waiting_since_ms }: CopyState, now_ms: number): number =>
  waiting_since_ms === null ? 0 : Math.max(0, Math.round((now_ms - waiting_since_ms) / 1_000));

export const renderPlace = (place: CopyPlace): string =>
  place.kind === "folder" ? place.folder : `s3://${[place.bucket, place.prefix].filter(Boolean).join("/")}`;
