import { assertInvariant } from "../../core/errors.ts";
import { balanceOf, type ChannelRow, type ChannelStep, type NewChannel, type NewMove } from "../channel-rows.ts";

/** The rows that commands of channels depend on. */
export interface WantedChannels {
  readonly ids: Set<string>;
  /** Cumulative amounts of vouchers, by channel. */
  readonly vouchers: [channel: string, signed: bigint][];
  /** Deposits and refunds that ended. */
  readonly moves: Set<number>;
}

export const createWantedChannels = (): WantedChannels => ({ ids: new Set(), vouchers: [], moves: new Set() });

/** As `lock_channels` takes them; null when no row is wanted. */
export const renderWantedChannels = ({ ids, vouchers, moves }: WantedChannels): object | null =>
  ids.size + moves.size === 0 ? null : { ids: [...ids], vouchers, moves: [...moves] };

type Amounts = "deposited" | "refunded" | "base" | "charged" | "signed" | "claimed" | "lost" | "refund_nonce";

interface StoredChannel
  extends Omit<ChannelRow, Amounts | "used_at_ms" | "synced_at_ms">,
    Readonly<Record<Amounts, string>> {
  readonly used_at: number;
  readonly synced_at: number;
  readonly has_history: boolean;
}

/** What `lock_channels` answers. */
export interface StoredChannels {
  readonly rows: readonly StoredChannel[] | null;
  readonly moves: readonly LockedMove[] | null;
  readonly used: readonly (readonly [channel: string, signed: string])[] | null;
}

/** A deposit or refund that was sent. */
export interface LockedMove {
  readonly id: number;
  readonly state: string;
  readonly channel: string;
  /** Of the voucher it came with, as text; null for what pays for nothing. */
  readonly step: string | null;
  readonly answer_id: number | null;
}

interface NewStep {
  readonly id: number;
  readonly answer_id: number;
  readonly move_id: number | null;
}

interface EndedMove {
  readonly id: number;
  readonly state: string;
  readonly reason: string | null;
  readonly chain_transaction: string | null;
  readonly at: number;
}

interface NotedMove {
  readonly id: number;
  readonly kind: "claim" | "sweep";
  readonly network: string;
  readonly amount: bigint;
  readonly chain_transaction: string;
}

/** The channels of a batch, as the commands decided so far leave them. */
export interface ChannelRows {
  get(id: string): ChannelRow | null;
  move(id: number): LockedMove | null;
  /** Whether a voucher of this amount bought something. */
  isUsed(channel: string, step: Pick<ChannelStep, "signed"> | null): boolean;
  /** Whether a call was paid by it, or money was ever moved for it. */
  hasHistory(id: string): boolean;
  open(channel: NewChannel, at: number): void;
  /** @param more when it was used, ledger time, microseconds; when the chain said it, ms. */
  change(row: ChannelRow, more?: { readonly used_at?: number; readonly synced_at?: number }): void;
  drop(id: string): void;
  addStep(step: ChannelStep, added: NewStep): void;
  send(
    move: NewMove,
    sent: {
      readonly id: number;
      readonly row: ChannelRow;
      readonly step: string | null;
      readonly answer_id: number | null;
    },
  ): void;
  endMove(ended: EndedMove): void;
  noteMove(noted: NotedMove): void;
  /** As `write_channels` takes them. */
  readonly changes: readonly object[];
}

const voucherOf = (channel: string, signed: string | bigint): string => `${channel} ${signed}`;

function readChannel({ used_at, synced_at, has_history: _history, ...row }: StoredChannel): ChannelRow {
  return {
    ...row,
    deposited: BigInt(row.deposited),
    refunded: BigInt(row.refunded),
    base: BigInt(row.base),
    charged: BigInt(row.charged),
    signed: BigInt(row.signed),
    claimed: BigInt(row.claimed),
    lost: BigInt(row.lost),
    refund_nonce: BigInt(row.refund_nonce),
    used_at_ms: Math.floor(used_at / 1000),
    synced_at_ms: synced_at,
  };
}

/** @param stored undefined when no row was asked for. */
export function createChannelRows(stored: StoredChannels | undefined): ChannelRows {
  const channels = new Map((stored?.rows ?? []).map((row) => [row.id, readChannel(row)]));
  const moves = new Map((stored?.moves ?? []).map((move) => [move.id, move]));
  const used = new Set((stored?.used ?? []).map(([channel, signed]) => voucherOf(channel, signed)));
  const with_history = new Set((stored?.rows ?? []).filter((row) => row.has_history).map(({ id }) => id));
  const changes: object[] = [];
  return {
    get: (id) => channels.get(id) ?? null,
    move: (id) => moves.get(id) ?? null,
    isUsed: (channel, step) => step !== null && used.has(voucherOf(channel, step.signed)),
    hasHistory: (id) => with_history.has(id),
    // Its row comes with the change that follows.
    open: (channel, at) => void changes.push({ op: "open", ...channel, at }),
    change(row, more = {}) {
      channels.set(row.id, row);
      changes.push({ op: "change", ...row, ...more });
    },
    drop(id) {
      channels.delete(id);
      changes.push({ op: "drop", id });
    },
    addStep(step, { id, answer_id, move_id }) {
      const { channel, signed, amount, charge = amount, product } = step;
      const { fingerprint, voucher_sha256, identifier, proof } = step;
      used.add(voucherOf(channel, signed));
      with_history.add(channel);
      const said = { channel, signed, product, fingerprint, voucher_sha256, identifier, proof };
      const allowed = charge < amount ? amount : null;
      changes.push({ op: "step", id, ...said, amount: charge, allowed, answer_id, move_id });
    },
    send(move, { id, row, step, answer_id }) {
      const { kind, channel, amount, valid_until_ms, facilitator } = move;
      const facts = { kind, channel, network: row.network, amount, valid_until_ms, facilitator, step, answer_id };
      moves.set(id, { id, state: "sending", channel, step, answer_id });
      changes.push({ op: "send", id, ...facts, balance_before: balanceOf(row), nonce: row.refund_nonce });
    },
    endMove(ended) {
      const move = moves.get(ended.id);
      assertInvariant(move !== undefined, `move ${ended.id} is there`);
      moves.set(ended.id, { ...move, state: ended.state });
      changes.push({ op: "end", ...ended });
    },
    noteMove: (noted) => void changes.push({ op: "note", ...noted }),
    changes,
  };
}
