import type { AuditReport } from "./audit.ts";
import type { Channels } from "./channels.ts";
import type { Charges } from "./charges.ts";
import type { Cluster } from "./cluster.ts";
import type { CopyState } from "./copy/copy-state.ts";
import type { Corrections } from "./corrections.ts";
import type { Coupons } from "./coupons.ts";
import type { Explained } from "./explained.ts";
import type { KeyBooks } from "./keys.ts";
import type { Landings } from "./landings.ts";
import type { ManifestBooks } from "./manifest.ts";
import type { MoneyQueries } from "./money.ts";
import type { PaymentBooks } from "./payments.ts";
import type { Receipts } from "./receipts.ts";
import type { RecordBooks } from "./records.ts";
import type { Refunds } from "./refunds.ts";
import type { Statements } from "./statements.ts";
import type { StoryQueries } from "./stories.ts";
import type { WalletBooks } from "./wallets.ts";

/**
 * The books, wherever they are kept: every change is a named command, every read a named query. What goes in and comes
 * out is plain data (no function, no open file), so that a command may cross to another thread or another machine. A
 * command's promise resolves when the change is durable, unless it says otherwise; a query sees every change whose
 * promise has resolved.
 */
export interface BookGroups {
  readonly payments: PaymentBooks;
  readonly receipts: Receipts;
  readonly landings: Landings;
  readonly keys: KeyBooks;
  readonly charges: Charges;
  readonly coupons: Coupons;
  readonly channels: Channels;
  readonly statements: Statements;
  readonly stories: StoryQueries;
  readonly money: MoneyQueries;
  readonly manifest: ManifestBooks;
  readonly records: RecordBooks;
  readonly wallets: WalletBooks;
  readonly refunds: Refunds;
  readonly corrections: Corrections;
  readonly explained: Explained;
}

/** What is done to all of the books at once. */
export interface BookKeeping {
  /** The other nodes that sell on these books; null where one node has them. */
  readonly cluster: Cluster | null;
  /** Proves the books: every rule over every row. */
  audit(): Promise<AuditReport>;
  /** Waits until everything written so far is on disk. */
  flush(): Promise<void>;
  /** Moves the write-ahead log into the file and cuts it back; false when a reader keeps it from doing so. */
  checkpoint(): Promise<boolean>;
  /** How far the copy of the books is; null without a copy, and before its first report. */
  readonly copied: CopyState | null;
  /** Why the books take no more writes, or null. */
  readonly halted: string | null;
  /** Why new charges are refused now, or null: they have halted, or their disk fails and is tried every second. */
  readonly trouble: string | null;
  onHalt(listener: (reason: string) => void): void;
  /** Called with the reason when the disk begins to fail, and with null when it takes writes again. */
  onTrouble(listener: (reason: string | null) => void): void;
  /** Waits for queued writes, checkpoints, closes. Closed also when it throws. */
  close(): Promise<void>;
}

export interface Books extends BookGroups, BookKeeping {}
