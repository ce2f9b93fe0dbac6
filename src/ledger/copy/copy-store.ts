/** Where a copy is stored: whole objects by name. Every call ends, with an answer or an error. */
export interface CopyStore {
  /** The object is there whole, or not at all. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** The names of all objects. */
  list(): Promise<readonly string[]>;
  remove(key: string): Promise<void>;
}
