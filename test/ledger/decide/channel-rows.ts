import type { ChannelRow, ChannelState, ChannelStep, NewChannel } from "../../../src/ledger/channel-rows.ts";
import {
  decideClaim,
  decideEnd,
  decideOpen,
  decideSend,
  decideSweep,
  decideSync,
  decideVoucher,
} from "../../../src/ledger/decide/channels.ts";
import { freeze, revenue, row } from "./row.ts";

const NETWORK = "eip155:8453";
const fresh: NewChannel = freeze({
  id: "0x1",
  network: NETWORK,
  token: "0xusdc",
  payer: "0xp",
  receiver: "0xr",
  config: "{}",
  label: "organic",
});
/** 100 in the contract, 30 earned, 10 of it claimed. */
const channel = (more: Partial<ChannelRow> = {}): ChannelRow =>
  freeze({
    ...fresh,
    deposited: 100n,
    refunded: 0n,
    base: 0n,
    charged: 30n,
    signed: 30n,
    signature: "s30",
    claimed: 10n,
    lost: 0n,
    withdraw_at: 0,
    refund_nonce: 0n,
    open_move: null,
    used_at_ms: 5,
    synced_at_ms: 6,
    ...more,
  });
const opened = (more: Partial<ChannelRow> = {}): ChannelRow =>
  channel({
    deposited: 0n,
    charged: 0n,
    signed: 0n,
    signature: null,
    claimed: 0n,
    used_at_ms: 0,
    synced_at_ms: 0,
    ...more,
  });
const chain = (balance: bigint, total_claimed: bigint, more: Partial<ChannelState> = {}): ChannelState =>
  freeze({ balance, total_claimed, withdraw_requested_at: 0, refund_nonce: 0n, ...more });
const step = (signed: bigint, amount: bigint, charge?: bigint): ChannelStep =>
  freeze({
    channel: "0x1",
    signed,
    amount,
    charge,
    signature: `s${signed}`,
    product: "fear-greed",
    fingerprint: "f",
    voucher_sha256: "v",
    identifier: null,
    proof: null,
  });
const at = (of: ChannelRow | null, is_used = false) => freeze({ channel: of, is_used });

const own = { id: "channel:0x1", kind: "channel" };
const escrow = { id: `escrow:${NETWORK}`, kind: "escrow" };
const claimedThere = { id: `claimed:${NETWORK}`, kind: "claimed" };
const wallet = { id: `wallet:${NETWORK}`, kind: "wallet" };
const voucher = (amount: bigint) => ({
  kind: "voucher",
  reference: "fear-greed",
  from: own,
  to: revenue("channels"),
  amount,
});
const move = (kind: string, from: object, to: object, amount: bigint) => ({ kind, reference: "0x1", from, to, amount });
const deposit = (amount: bigint) => move("deposit", escrow, own, amount);

const ofVoucher = row("voucher");
const ofOpen = row("channel_open");
const ofSend = row("channel_send");
const ofEnd = row("channel_end");
const ofSync = row("channel_sync");
const ofClaim = row("channel_claim");
const ofSweep = row("channel_sweep");

/** What keeps a voucher from being taken, with nothing more to come in. */
const DENIED = [
  { why: "missing", says: "no channel", of: null, signed: 50n, is_used: false },
  { why: "closed", says: "money of it was lost", of: channel({ lost: 1n }), signed: 50n, is_used: false },
  { why: "busy", says: "something of it is on its way", of: channel({ open_move: 7 }), signed: 51n, is_used: false },
  { why: "moved_on", says: "it goes too far", of: channel(), signed: 51n, is_used: true },
  { why: "moved_on", says: "it does not go far enough", of: channel(), signed: 49n, is_used: false },
  { why: "balance", says: "one unit more than there is", of: channel({ refunded: 51n }), signed: 50n, is_used: true },
  { why: "used", says: "its amount has bought something", of: channel(), signed: 50n, is_used: true },
] as const;

const vouchers = DENIED.map(({ why, says, of, signed, is_used }) =>
  ofVoucher(why, says, { decide: () => decideVoucher(step(signed, 20n), at(of, is_used)), channel: of }),
);
const sends = DENIED.map(({ why, says, of, signed, is_used }) =>
  ofSend(why, says, {
    decide: () => decideSend({ amount: 0n, step: step(signed, 20n), opening: null }, at(of, is_used)),
    channel: of,
    is_opened: false,
  }),
);
const opening = (state: ChannelState) => freeze({ channel: fresh, state });

const sending = (of: ChannelRow, more: object = {}) =>
  freeze({ is_open: true, channel: of, step: null, is_used: false, has_history: true, ...more });

export const CHANNEL_ROWS = [
  ...vouchers,
  ofVoucher("closed", "that comes before what is on its way", {
    decide: () => decideVoucher(step(50n, 20n), at(channel({ lost: 1n, open_move: 7 }))),
    channel: channel({ lost: 1n, open_move: 7 }),
  }),
  ofVoucher("earned", "the last unit there is", {
    decide: () => decideVoucher(step(100n, 70n), at(channel())),
    transfers: [voucher(70n)],
    channel: channel({ charged: 100n, signed: 100n, signature: "s100" }),
  }),
  ofVoucher("earned", "less than was signed: the signature stays, the rest is still the payer's", {
    decide: () => decideVoucher(step(80n, 50n, 7n), at(channel())),
    transfers: [voucher(7n)],
    channel: channel({ charged: 37n, signed: 80n, signature: "s80" }),
  }),
  ofVoucher("earned", "after a smaller charge, a voucher below the highest keeps the highest", {
    decide: () => decideVoucher(step(50n, 20n), at(channel({ signed: 80n, signature: "s80" }))),
    transfers: [voucher(20n)],
    channel: channel({ charged: 50n, signed: 80n, signature: "s80" }),
  }),
  ofOpen("opened", "with what the chain has in it", {
    decide: () => decideOpen(opening(chain(100n, 0n, { refund_nonce: 3n })), null),
    transfers: [deposit(100n)],
    channel: opened({ deposited: 100n, refund_nonce: 3n }),
  }),
  ofOpen("known", "what the chain said before may be older than what is in it", {
    decide: () => decideOpen(opening(chain(50n, 0n)), channel()),
    channel: channel(),
  }),
  ...sends,
  ofSend("sending", "a refund", {
    decide: () => decideSend({ amount: 70n, step: null, opening: null }, at(channel())),
    channel: channel(),
    is_opened: false,
  }),
  ofSend("sending", "a deposit that makes room for its voucher", {
    decide: () => decideSend({ amount: 20n, step: step(120n, 90n), opening: null }, at(channel())),
    channel: channel(),
    is_opened: false,
  }),
  ofSend("sending", "the first deposit opens the channel", {
    decide: () => decideSend({ amount: 20n, step: step(20n, 20n), opening: opening(chain(0n, 0n)) }, at(null)),
    channel: opened(),
    is_opened: true,
  }),
  ofSend("balance", "what was opened for nothing is not kept", {
    decide: () => decideSend({ amount: 19n, step: step(20n, 20n), opening: opening(chain(0n, 0n)) }, at(null)),
    channel: null,
    is_opened: false,
  }),
  ofSend("balance", "what the chain has in it stays in the books", {
    decide: () => decideSend({ amount: 5n, step: step(20n, 20n), opening: opening(chain(10n, 0n)) }, at(null)),
    transfers: [deposit(10n)],
    channel: opened({ deposited: 10n }),
    is_opened: true,
  }),
  ofSend("busy", "one that was opened by another node meanwhile", {
    decide: () => decideSend({ amount: 20n, step: null, opening: opening(chain(0n, 0n)) }, at(channel())),
    channel: channel(),
    is_opened: false,
  }),
  ofSend("missing", "a refund of nothing", {
    decide: () => decideSend({ amount: 20n, step: null, opening: null }, at(null)),
    channel: null,
    is_opened: false,
  }),
  ofSend("closed", "a refund after a loss", {
    decide: () => decideSend({ amount: 20n, step: null, opening: null }, at(channel({ lost: 1n }))),
    channel: channel({ lost: 1n }),
    is_opened: false,
  }),
  ofEnd("landed", "a deposit without a voucher", {
    decide: () => decideEnd({ state: "done", now: chain(120n, 10n) }, sending(channel({ open_move: 7 }))),
    transfers: [deposit(20n)],
    channel: channel({ deposited: 120n }),
  }),
  ofEnd("landed_and_earned", "a deposit with its voucher", {
    decide: () =>
      decideEnd(
        { state: "done", now: chain(120n, 10n) },
        sending(channel({ open_move: 7 }), { step: step(120n, 90n, 80n) }),
      ),
    transfers: [deposit(20n), voucher(80n)],
    channel: channel({ deposited: 120n, charged: 110n, signed: 120n, signature: "s120" }),
  }),
  ofEnd("landed", "when the chain has moved on, what was delivered stays a gift", {
    decide: () =>
      decideEnd(
        { state: "done", now: chain(120n, 40n) },
        sending(channel({ open_move: 7 }), { step: step(120n, 90n) }),
      ),
    transfers: [deposit(20n), move("claim", claimedThere, escrow, 20n), move("foreign_claim", own, escrow, 10n)],
    channel: channel({ deposited: 120n, base: 10n, charged: 40n, signed: 40n, claimed: 40n }),
  }),
  ofEnd("failed", "the channel is free again", {
    decide: () => decideEnd({ state: "failed" }, sending(channel({ open_move: 7 }))),
    channel: channel(),
  }),
  ofEnd("failed", "one that was opened for a deposit that never came goes again", {
    decide: () => decideEnd({ state: "failed" }, sending(opened({ open_move: 7 }), { has_history: false })),
    channel: null,
  }),
  ofEnd("failed", "an empty one stays when money was once moved for it", {
    decide: () => decideEnd({ state: "failed" }, sending(opened({ open_move: 7 }))),
    channel: opened(),
  }),
  ofEnd("unknown", "nothing else of it is accepted meanwhile", {
    decide: () => decideEnd({ state: "unknown" }, sending(channel({ open_move: 7 }))),
    channel: channel({ open_move: 7 }),
  }),
  ofEnd("ended_before", "it ends once", {
    decide: () => decideEnd({ state: "done", now: chain(120n, 10n) }, sending(channel(), { is_open: false })),
    channel: channel(),
  }),
  ofSync("synced", "the chain says what the books say", {
    decide: () => decideSync(chain(100n, 10n), channel()),
    channel: channel(),
  }),
  ofSync("synced", "the payer took back what was his", {
    decide: () => decideSync(chain(30n, 10n, { withdraw_requested_at: 9, refund_nonce: 2n }), channel()),
    transfers: [move("return", own, escrow, 70n)],
    channel: channel({ refunded: 70n, withdraw_at: 9, refund_nonce: 2n }),
  }),
  ofSync("synced", "he took back more than that before it was claimed: the rest is lost", {
    decide: () => decideSync(chain(10n, 10n), channel()),
    transfers: [move("return", own, escrow, 70n), move("loss", revenue("channels"), escrow, 20n)],
    channel: channel({ refunded: 90n, lost: 20n }),
  }),
  ofSync("synced", "a claim that the chain forgot stays", {
    decide: () => decideSync(chain(100n, 0n), channel()),
    channel: channel(),
  }),
  ofSync("synced", "after a loss, what the chain claims beyond what is still earned was for something else", {
    decide: () => decideSync(chain(25n, 15n), channel({ refunded: 90n, lost: 20n })),
    transfers: [deposit(15n), move("foreign_claim", own, escrow, 5n)],
    channel: channel({ deposited: 115n, refunded: 90n, lost: 20n, base: 5n, charged: 35n, signed: 35n, claimed: 15n }),
  }),
  ofSync("synced", "a claim, somebody else's claim, what was given back and a second loss, all at once", {
    decide: () => decideSync(chain(10n, 25n), channel({ refunded: 50n, lost: 10n })),
    transfers: [
      move("claim", claimedThere, escrow, 10n),
      move("foreign_claim", own, escrow, 5n),
      move("return", own, escrow, 25n),
      move("loss", revenue("channels"), escrow, 15n),
    ],
    channel: channel({ refunded: 90n, lost: 25n, base: 5n, charged: 35n, signed: 35n, claimed: 25n }),
  }),
  ofSync("missing", "no channel", { decide: () => decideSync(chain(1n, 0n), null) }),
  ofSync("busy", "something of it is on its way", {
    decide: () => decideSync(chain(1n, 0n), channel({ open_move: 7 })),
  }),
  ofClaim("claimed", "what vouchers earned, and no more", {
    decide: () => decideClaim(35n, channel()),
    transfers: [move("claim", claimedThere, escrow, 20n)],
    channel: channel({ claimed: 30n }),
  }),
  ofClaim("claimed", "what was lost is claimed no more", {
    decide: () => decideClaim(35n, channel({ lost: 5n })),
    transfers: [move("claim", claimedThere, escrow, 15n)],
    channel: channel({ lost: 5n, claimed: 25n }),
  }),
  ofClaim("claimed_before", "a total that was claimed", {
    decide: () => decideClaim(10n, channel()),
    channel: channel(),
  }),
  ofSweep("swept", "no more than was claimed", {
    decide: () => decideSweep({ network: NETWORK, amount: 9n, chain_transaction: "0xs" }, 7n),
    transfers: [{ kind: "sweep", reference: "0xs", from: wallet, to: claimedThere, amount: 7n }],
  }),
  ofSweep("nothing_to_sweep", "nothing was claimed", {
    decide: () => decideSweep({ network: NETWORK, amount: 9n, chain_transaction: "0xs" }, 0n),
  }),
];

export const BROKEN_CHANNELS = [
  { says: "no more is charged than a voucher allows", decide: () => decideVoucher(step(50n, 20n, 21n), at(channel())) },
  { says: "a voucher earns something", decide: () => decideVoucher(step(50n, 20n, 0n), at(channel())) },
];
