import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { least, most } from "../../core/money.ts";
import { createSerial } from "../../core/serial.ts";
import type { ChannelConfig } from "../../payments/channels/contract.ts";
import { createChannelChain } from "../../payments/channels/read-chain.ts";
import { checkVoucher } from "../../payments/networks/evm/channel-signing.ts";
import { type Network, networkById } from "../../payments/networks/table.ts";
import type { Requirement } from "../../payments/types.ts";
import type { OwnChannel, OwnChannelRows } from "../../stores/own-channel-rows.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Buyer } from "../buyer.ts";
import { type BuyerChannel, DEPOSIT_VALID_S } from "../channel-buyer.ts";
import { readOfferedChannel, whyNoChannel } from "./channel-offer.ts";
import { checkCorrection, checkPaidSnapshot, type KnownChannel } from "./check-snapshot.ts";

/** What a seller answered. */
export interface SellerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface OwnChannelsOptions {
  readonly rows: OwnChannelRows;
  readonly clock: Clock;
  readonly elapsed_ms: () => number;
  readonly buyer: () => Promise<Buyer>;
  /** Endpoints that read a chain; none: what sellers say is all there is. */
  readonly rpc_urls: (chain: string) => readonly string[];
  readonly limits: {
    /** Calls that a deposit pays for. */
    readonly deposit_calls: number;
    /** The most that lies with one seller, and with all, atomic USDC. */
    readonly deposit_max: bigint;
    readonly deposit_all_max: bigint;
    /** A seller may keep us waiting no longer for what we withdraw by ourselves. */
    readonly withdraw_delay_s_max: number;
  };
  readonly log: Pick<Log, "info" | "warn" | "error">;
}

export interface ChannelOrder {
  /** The entry of a 402 that offers channels: checked against the payee that was proven. */
  readonly accepted: Requirement;
  /** The most that the call may cost, atomic USDC. */
  readonly price: bigint;
  /** The most that may be paid in now, atomic USDC: what is left of the day's sum. */
  readonly room: bigint;
  /** Address of what is bought, by which the channel is refunded later. */
  readonly door: string;
}

/** One call that is paid from a channel. While it lasts nobody else signs on that channel. */
export interface OwnChannelStep {
  readonly channel: string;
  /** What is paid in with it, atomic USDC; 0 where the channel holds enough. */
  readonly deposit: bigint;
  /** A value of PAYMENT-SIGNATURE. What it signs is on disk before this resolves. */
  sign(): Promise<string>;
  /** The same call once more, where the seller's books stand elsewhere and that adds up; null: not by channel. */
  correct(answer: SellerAnswer): Promise<string | null>;
  /** Takes note of an answer that was paid for. @returns what was charged; null where the seller does not say. */
  note(answer: SellerAnswer): bigint | null;
  /** The seller refused what was signed: it is paid otherwise for a while. */
  refused(): void;
}

/** What lies in channels, and what of it cannot be used. */
export interface OwnChannelTotals {
  readonly channels: number;
  readonly stopped: number;
  /** Paid in and neither charged nor given back, atomic USDC. */
  readonly left: bigint;
}

/** Payment channels of other sellers, which this node pays from. */
export interface OwnChannels {
  /**
   * Lets a call be paid from a channel with its seller, opening one within the budget.
   * @returns what `call` does; null where nothing is paid by channel now, and nothing was signed.
   */
  pay<T>(order: ChannelOrder, call: (step: OwnChannelStep) => Promise<T | null>): Promise<T | null>;
  /** Does something on a channel while no call is paid from it. */
  inTurn(channel: OwnChannel, work: (channel: OwnChannel) => Promise<void>): Promise<void>;
  list(): readonly OwnChannel[];
  /** What the chain holds for a channel, atomic USDC; null where no endpoint says so. */
  held(channel: OwnChannel): Promise<bigint | null>;
  totals(): OwnChannelTotals;
  /** Channels that are paid from no more and may still hold money of this node. */
  stuck(): readonly StuckChannel[];
  /** Asks the chain whether channels that are paid from no more are empty by now. */
  lookAtStuck(): Promise<void>;
}

/** A channel that is paid from no more, and what may lie in it. */
export interface StuckChannel {
  readonly id: string;
  readonly network: string;
  readonly why: string;
  /** Atomic USDC. */
  readonly left: bigint;
}

/** With what the node does with them automatically. */
export interface NodeOwnChannels extends OwnChannels {
  /** Asks back what lies in channels that nobody uses, and looks whether those that are stuck are empty. */
  refundIdle(): Promise<void>;
}

/** Who waits longer for his turn pays otherwise: his own buyer waits too. */
const TURN_WITHIN_MS = 4_000;
const REFUSED_FOR_MS = 600_000;
/** No seller gives back sooner what is left in a channel. */
const LOOKED_AFTER_MS = 86_400_000;
/** Its operator withdraws it by hand: until then the chain is asked so often. */
const STUCK_LOOKED_AFTER_MS = 3_600_000;
/** A block's time beyond the last moment at which a deposit can be taken. */
const LANDS_WITHIN_MS = 60_000;

/** What can still be spent by vouchers. */
export const availableOf = ({ deposited, refunded }: OwnChannel): bigint => deposited - refunded;
/** What may lie with the seller and be this node's own, deposits of unknown outcome included. */
export const leftOf = ({ deposited, refunded, charged, open_deposit, doubtful }: OwnChannel): bigint =>
  deposited + open_deposit + doubtful - refunded - charged;

const listStuck = (rows: OwnChannelRows): readonly OwnChannel[] =>
  rows.list().filter((channel) => channel.stopped !== null && leftOf(channel) > 0n);

const sumLeft = (channels: readonly OwnChannel[]): bigint => channels.reduce((sum, one) => sum + leftOf(one), 0n);
const renderTerms = ({ salt: _, ...terms }: ChannelConfig): string =>
  JSON.stringify(terms, Object.keys(terms).sort()).toLowerCase();

const NOTHING = { deposited: 0n, refunded: 0n, signed: 0n, charged: 0n, open_deposit: 0n, doubtful: 0n } as const;

interface Plan {
  readonly channel: OwnChannel;
  readonly signing: BuyerChannel;
  readonly deposit: bigint;
}

export function createOwnChannels(options: OwnChannelsOptions): OwnChannels {
  const { rows, clock, limits, log } = options;
  const turns = createSerial();
  /** Until when a seller's channels are not used, by its address. */
  const refused_until = new Map<string, number>();
  const stuck_looked = new Map<string, number>();
  const nameOf = ({ network, payTo }: Requirement): string => `${network} ${payTo.toLowerCase()}`;

  function stop({ id, seller, charged, signed, config }: OwnChannel, why: string): void {
    rows.stop(id, why);
    const left = leftOf(rows.get(id) as OwnChannel).toString();
    const facts = { channel: id, seller, charged: charged.toString(), signed: signed.toString(), left, config };
    log.error({ event: "own_channel_stopped", why, ...facts });
  }

  /** What became of a deposit whose answer never came. @returns null while it may still land. */
  async function resolveDeposit(channel: OwnChannel, network: Network): Promise<OwnChannel | null> {
    if (channel.open_deposit === 0n) return channel;
    const is_over = clock.now() > channel.open_until_ms + LANDS_WITHIN_MS;
    const held = await readHeld(channel.id, network);
    const has_landed = held !== null && held >= availableOf(channel) + channel.open_deposit;
    if (!has_landed && !is_over) return null;
    const end = has_landed ? "landed" : held === null ? "doubtful" : "gone";
    rows.endDeposit(channel.id, end);
    log.warn({ event: "own_channel_deposit", channel: channel.id, amount: channel.open_deposit.toString(), end });
    return rows.get(channel.id);
  }

  /** A seller may give back by himself what lies unused: the chain tells, before his snapshot would not add up. */
  async function noteGivenBack(channel: OwnChannel, network: Network): Promise<void> {
    const { id, used_ms, charged } = channel;
    if (clock.now() - used_ms < LOOKED_AFTER_MS || channel.open_deposit > 0n) return;
    const held = await readHeld(id, network);
    if (held === null || held >= availableOf(channel) || held < charged) return;
    rows.noteRefund(id, availableOf(channel) - held);
    log.info({ event: "own_channel_given_back", channel: id, amount: (availableOf(channel) - held).toString() });
  }

  /** What the chain holds for a channel; null when no endpoint says so. */
  async function readHeld(id: string, network: Network): Promise<bigint | null> {
    const urls = options.rpc_urls(network.chain);
    if (urls.length === 0) return null;
    try {
      return (await createChannelChain(urls).channel(id)).balance;
    } catch (error) {
      log.warn({ event: "own_channel_not_read", channel: id, error: messageOf(error).slice(0, 200) });
      return null;
    }
  }

  async function findOrOpen(order: ChannelOrder, network: Network): Promise<Omit<Plan, "deposit"> | null> {
    const buyer = await options.buyer();
    const fresh = await buyer.channelOf(order.accepted);
    if (fresh === null) return null;
    const [payer, seller] = [buyer.address.toLowerCase(), order.accepted.payTo.toLowerCase()];
    const known = rows.withSeller(network.id, seller);
    // Who told what does not add up gets no further voucher, whatever his terms are now.
    if (known.some(({ stopped }) => stopped !== null)) return null;
    const terms = renderTerms(fresh.config);
    const found = known.find((one) => one.terms === terms && one.payer === payer);
    if (found !== undefined) {
      const signing = await buyer.channelOf(order.accepted, JSON.parse(found.config) as ChannelConfig);
      return signing && { channel: found, signing };
    }
    const { id, config } = fresh;
    const who = { id, network: network.id, payer, seller, terms, config: JSON.stringify(config), door: order.door };
    const times = { opened_ms: clock.now(), used_ms: clock.now(), open_until_ms: 0 };
    return { channel: { ...who, ...times, ...NOTHING, stopped: null }, signing: fresh };
  }

  async function plan(order: ChannelOrder, network: Network): Promise<Plan | null> {
    const place = await findOrOpen(order, network);
    if (place !== null) await noteGivenBack(place.channel, network);
    const channel = place && (await resolveDeposit(rows.get(place.channel.id) ?? place.channel, network));
    if (place === null || channel === null) return null;
    const needed = channel.charged + order.price - availableOf(channel);
    if (needed <= 0n) return { ...place, channel, deposit: 0n };
    const room_here = limits.deposit_max - sumLeft(rows.withSeller(channel.network, channel.seller));
    const room = least(least(room_here, limits.deposit_all_max - sumLeft(rows.list())), order.room);
    // What its seller announces holds for each deposit: a smaller one is refused.
    const announced = readOfferedChannel(order.accepted).min_deposit ?? 0n;
    const wanted = most(order.price * BigInt(limits.deposit_calls), announced);
    const deposit = least(most(wanted, needed), room);
    // A channel for a single call is dearer than paying for that call alone.
    if (deposit >= needed + order.price && deposit >= announced) {
      if (rows.get(channel.id) === null) rows.add(channel);
      return { ...place, channel, deposit };
    }
    const told = { room: room.toString(), needed: needed.toString(), least: announced.toString() };
    log.info({ event: "own_channel_budget", channel: channel.id, seller: channel.seller, ...told });
    return null;
  }

  function createStep(
    { channel: { id }, signing, deposit }: Plan,
    order: ChannelOrder,
    network: Network,
  ): OwnChannelStep {
    const read = (): OwnChannel => rows.get(id) as OwnChannel;
    const knownOf = (channel: OwnChannel, more: bigint): KnownChannel => ({
      id,
      network: network.id,
      payer: channel.payer,
      balance: availableOf(channel) + more,
      charged: channel.charged,
      signed: channel.signed,
      price: order.price,
    });
    const signNext = async (more: bigint): Promise<string> => {
      const signed = read().charged + order.price;
      const until_s = Math.floor(clock.now() / 1000) + DEPOSIT_VALID_S;
      rows.sign(id, { signed, deposit: more, until_ms: until_s * 1000, at_ms: clock.now() });
      return more > 0n ? signing.deposit(more, signed, until_s) : signing.pay(signed);
    };
    let paid_in = deposit;
    return {
      channel: id,
      deposit,
      sign: () => signNext(deposit),
      async correct(answer) {
        const before = read();
        const checked = await checkCorrection(answer, knownOf(before, 0n), (total, signature) =>
          isOwnVoucher({ id, total, signature, payer: before.payer }, network),
        );
        if (checked === "none") return null;
        if ("fault" in checked) {
          stop(before, checked.fault);
          return null;
        }
        const { charged, signed } = checked.correction;
        rows.settle(id, { charged, signed, landed: false });
        log.info({ event: "own_channel_corrected", channel: id, charged: charged.toString() });
        const now = read();
        paid_in = 0n;
        return now.charged + order.price > availableOf(now) ? null : signNext(0n);
      },
      note(answer) {
        const channel = read();
        const checked = checkPaidSnapshot(answer.headers.get("PAYMENT-RESPONSE"), knownOf(channel, paid_in));
        if (checked === "none") return null;
        if ("fault" in checked) {
          stop(channel, checked.fault);
          return null;
        }
        const { amount, charged, balance } = checked.snapshot;
        if (paid_in > 0n) rows.endDeposit(id, "landed");
        rows.settle(id, { charged, landed: balance >= availableOf(channel) + channel.open_deposit + channel.doubtful });
        return amount;
      },
      refused: () => void refused_until.set(nameOf(order.accepted), clock.now() + REFUSED_FOR_MS),
    };
  }

  return {
    async pay(order, call) {
      const { accepted } = order;
      const network = networkById(accepted.network);
      if (network === undefined || order.price <= 0n) return null;
      const doubt = whyNoChannel(accepted, network, limits.withdraw_delay_s_max);
      if (doubt !== null) {
        log.info({ event: "own_channel_not_opened", seller: accepted.payTo.slice(0, 60), why: doubt });
        return null;
      }
      const came_ms = options.elapsed_ms();
      return turns.run(nameOf(accepted), async () => {
        if (options.elapsed_ms() - came_ms > TURN_WITHIN_MS) return null;
        if (clock.now() < (refused_until.get(nameOf(accepted)) ?? 0)) return null;
        const planned = await plan(order, network);
        return planned && call(createStep(planned, order, network));
      });
    },
    inTurn: (channel, work) =>
      turns.run(`${channel.network} ${channel.seller}`, async () => work(rows.get(channel.id) ?? channel)),
    list: rows.list,
    async held({ id, network: network_id }) {
      const network = networkById(network_id);
      return network === undefined ? null : readHeld(id, network);
    },
    totals() {
      const all = rows.list();
      return { channels: all.length, stopped: all.filter((one) => one.stopped !== null).length, left: sumLeft(all) };
    },
    stuck: () =>
      listStuck(rows).map((channel) => {
        const { id, network, stopped } = channel;
        return { id, network, why: stopped ?? "", left: leftOf(channel) };
      }),
    async lookAtStuck() {
      for (const channel of listStuck(rows)) {
        const { id, seller, signed, open_deposit, open_until_ms } = channel;
        const may_land = open_deposit > 0n && clock.now() <= open_until_ms + LANDS_WITHIN_MS;
        const looked_ms = stuck_looked.get(id) ?? Number.NEGATIVE_INFINITY;
        if (may_land || clock.now() - looked_ms < STUCK_LOOKED_AFTER_MS) continue;
        stuck_looked.set(id, clock.now());
        const network = networkById(channel.network);
        const held = network === undefined ? null : await readHeld(id, network);
        // What was signed for is its seller's to claim.
        if (held === null || held > signed) continue;
        rows.empty(id);
        log.info({ event: "own_channel_emptied", channel: id, seller });
      }
    },
  };
}

interface NamedVoucher {
  readonly id: string;
  readonly total: bigint;
  readonly signature: string;
  readonly payer: string;
}

/** Whether this node's wallet signed for so much in a channel. */
export const isOwnVoucher = async ({ id, total, signature, payer }: NamedVoucher, network: Network): Promise<boolean> =>
  (await checkVoucher(
    { channelId: id, maxClaimableAmount: total.toString(), signature },
    { payer, payerAuthorizer: payer },
    network,
  )) === "yes";
