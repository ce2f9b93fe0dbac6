import type { ChannelCommands } from "./channels.ts";
import type { ChargeCommands } from "./charges.ts";
import type { CorrectionCommands } from "./corrections.ts";
import type { CouponCommands } from "./coupons.ts";
import type { ExplainedCommands } from "./explained.ts";
import type { KeyCommands } from "./keys.ts";
import type { LandingCommands } from "./landings.ts";
import type { ManifestCommands } from "./manifest.ts";
import type { PaymentCommands } from "./payments.ts";
import type { RecordCommands } from "./records.ts";
import type { RefundCommands } from "./refunds.ts";
import type { WalletCommands } from "./wallets.ts";

/** Every change of the books, by group and name. */
export interface Commands {
  readonly payments: PaymentCommands;
  readonly landings: LandingCommands;
  readonly keys: KeyCommands;
  readonly charges: ChargeCommands;
  readonly coupons: CouponCommands;
  readonly channels: ChannelCommands;
  readonly manifest: ManifestCommands;
  readonly records: RecordCommands;
  readonly wallets: WalletCommands;
  readonly refunds: RefundCommands;
  readonly corrections: CorrectionCommands;
  readonly explained: ExplainedCommands;
}

/** The names at run time: only these cross to another thread. A missing name does not compile. */
export const COMMANDS: { readonly [G in keyof Commands]: Readonly<Record<keyof Commands[G], true>> } = {
  payments: {
    begin: true,
    find: true,
    drop: true,
    end: true,
    wake: true,
    keepAnswer: true,
    markUnknown: true,
    settle: true,
    markDelivered: true,
    markUndelivered: true,
    recover: true,
    pruneAnswers: true,
    pruneEnded: true,
  },
  landings: { note: true, postpone: true, confirmPayment: true, countDisbelieved: true },
  keys: { issue: true, grant: true, mint: true, amend: true, revoke: true, expire: true, dropSalts: true },
  charges: {
    debit: true,
    hold: true,
    post: true,
    void: true,
    pass: true,
    refund: true,
    recover: true,
    pruneAnswers: true,
  },
  coupons: { hold: true, use: true, release: true, recover: true },
  channels: {
    charge: true,
    open: true,
    begin: true,
    end: true,
    claimed: true,
    swept: true,
    sync: true,
    recover: true,
  },
  manifest: { note: true },
  records: { append: true, settle: true },
  wallets: { useNonce: true },
  refunds: { giveBack: true },
  corrections: { correct: true },
  explained: { explain: true },
};

export type CommandGroup = keyof Commands;
