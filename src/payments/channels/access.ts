import type { AccessCall, AccessMethod, Served } from "../../calls/access.ts";
import { bindPayer } from "../../calls/bind-payer.ts";
import { costOf, targetOf } from "../../calls/work-budget.ts";
import { NodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { keepFor } from "../../core/keep-for.ts";
import { CHARGED, ceilingOf, type MeteredCharge, meter } from "../../core/metering.ts";
import { renderUSD } from "../../core/money.ts";
import { withOwed } from "../../core/passed-on.ts";
import { balanceOf, type ChannelRow, type ChannelStep, unclaimedOf } from "../../ledger/channel-rows.ts";
import { decodePaymentHeader } from "../codec.ts";
import { bindKey } from "../fingerprint.ts";
import { isSameBuyer, readBuyerNames } from "../gate/buyer-names.ts";
import { settlementUnknown } from "../gate/recall.ts";
import { createUnprovenReplays } from "../gate/unproven-replays.ts";
import { channelIdOf, checkVoucher, renderConfig, renderKeySignedChannel } from "../networks/evm/channel-signing.ts";
import { networkById } from "../networks/table.ts";
import { refuse } from "../refusal.ts";
import type { IncomingPayment } from "../types.ts";
import { createBooksBehind } from "./books-behind.ts";
import { type ChannelSnapshot, SCHEME } from "./contract.ts";
import { createDeposits } from "./deposits.ts";
import { findBase } from "./find-base.ts";
import { createMoves } from "./moves.ts";
import { readChannelPayload } from "./payload.ts";
import { createRefunds } from "./refunds.ts";
import { refuseAsTold, refuseChannel } from "./refusals.ts";
import { renderChainState, renderCorrective, renderServed } from "./render.ts";
import { askChannel, readSnapshot } from "./snapshots.ts";
import { channelRequirement, checkTerms, isSoldByVoucher } from "./terms.ts";
import { busy, createTurns } from "./turns.ts";
import { type ChannelAccessOptions, type ChannelCall, type ChannelMadeAnswer, toBuyer } from "./types.ts";

/** Of the produce slots: calls paid one by one have no priority. */
const PRIORITY = 1;

const readings = new WeakMap<Headers, { readonly text: string; readonly incoming: IncomingPayment | null }>();

/** All channels are added up once in so long. */
const TOTALS_KEPT_MS = 1_000;
const notClaimed = () =>
  new NodeError("facilitator_unavailable", "Channels have to be claimed before more is sold. Nothing was charged.", {
    retry_after_s: 10,
  });

/** Of a call that costs just what a metered one left of its voucher: one voucher buys one answer. */
const usedBefore = () =>
  refuse("payment_already_used", "payment_already_used", "A voucher over this sum has bought an answer: buy another.");

function tryToDecode(text: string): IncomingPayment | null {
  try {
    const read = decodePaymentHeader(text);
    return read.scheme === SCHEME ? read : null;
  } catch {
    // The other way to pay says what is wrong with it.
    return null;
  }
}

/** The payment of a call when it is one for channels; null for every other. */
function readIncoming(headers: Headers): IncomingPayment | null {
  const text = headers.get("payment-signature") ?? headers.get("x-payment");
  if (text === null) return null;
  const known = readings.get(headers);
  if (known?.text === text) return known.incoming;
  const incoming = tryToDecode(text);
  readings.set(headers, { text, incoming });
  return incoming;
}

/** Pays for a call with the next voucher of a payment channel. */
export function createChannelAccess(options: ChannelAccessOptions): AccessMethod {
  const { ledger, clock, runner, slots } = options;
  const { channels } = ledger;
  const inTurn = createTurns();
  const moves = createMoves(options);
  const unproven = createUnprovenReplays(options);
  const catchUp = createBooksBehind(options);

  async function read(call: AccessCall): Promise<ChannelCall> {
    const incoming = readIncoming(call.headers);
    const network = networkById(incoming?.network ?? "");
    const offer = options.offers().find((one) => one.network.id === network?.id);
    if (!incoming || !network || !offer?.channel || !isSoldByVoucher(call.product, offer)) {
      throw refuse("invalid_payment", "unsupported_scheme", "This is not sold by payment channel now: see the 402.");
    }
    const sent = readChannelPayload(incoming.payload);
    const requirement = channelRequirement(offer, offer.channel, ceilingOf(call.product));
    const { channelConfig } = sent;
    const id = await channelIdOf(channelConfig, network);
    if (id !== sent.voucher.channelId.toLowerCase()) {
      throw refuseChannel("channel_id_mismatch", "The channel's configuration does not hash to its id.");
    }
    checkTerms(channelConfig, requirement);
    const payload = await renderKeySignedChannel(sent, network);
    const { voucher } = payload;
    const payer = channelConfig.payer.toLowerCase();
    const own = (await options.authorizers()).length > 0;
    return {
      call: bindPayer(
        { ...call, fingerprint: bindKey(call.fingerprint, call) },
        { address: payer, network: network.id },
      ),
      payload,
      network,
      requirement,
      id,
      signed: BigInt(voucher.maxClaimableAmount),
      voucher_sha256: sha256Hex(voucher.signature.toLowerCase()),
      names: readBuyerNames(call.headers, incoming, payer),
      authorizer: own ? undefined : offer.channel.receiver_authorizer,
    };
  }

  const stepOf = (
    { id, signed, call, payload, voucher_sha256, names }: ChannelCall,
    metered: MeteredCharge | null,
    { purchase }: Pick<ChannelMadeAnswer, "purchase">,
  ): ChannelStep => ({
    channel: id,
    signed,
    amount: ceilingOf(call.product),
    charge: metered?.charge,
    signature: payload.voucher.signature,
    product: call.product.id,
    fingerprint: call.fingerprint,
    voucher_sha256,
    identifier: names.identifier,
    proof: names.proof,
    purchase: purchase?.json,
  });

  /** The answer this very voucher has paid for; null when it paid for nothing yet. */
  async function recall(asked: ChannelCall, channel: ChannelRow): Promise<Served | null> {
    // Less may have been charged than a voucher allowed: the highest one is above what was charged.
    if (asked.signed > channel.signed) return null;
    const step = await channels.findStep(asked.id, asked.signed);
    if (step === null) return null;
    if (step.voucher_sha256 !== asked.voucher_sha256 || step.fingerprint !== asked.call.fingerprint) {
      if (channel.charged + ceilingOf(asked.call.product) === asked.signed) throw usedBefore();
      // Another request: the books have moved on from this voucher.
      return null;
    }
    const is_fresh = clock.now() - step.charged_at_ms < options.replay_window_ms;
    if (step.body === null || !is_fresh) {
      throw refuse("payment_already_used", "payment_already_used", "This voucher's answer is no longer kept.");
    }
    const is_buyer = isSameBuyer(step, asked.names);
    if (!is_buyer) {
      const fetched = { id: `voucher_${step.id}`, settled_at_ms: step.charged_at_ms, client: asked.call.client };
      unproven.take(fetched);
    }
    // How a metered charge came about was said the first time.
    const told = { [CHARGED]: renderUSD(step.amount) };
    const is_usual = asked.call.product.metering === null && step.amount === step.allowed;
    const metered = is_usual ? null : { charge: step.amount, headers: told };
    // A claim makes its voucher public: alone it fetches what was bought, and no secret.
    const is_secret = asked.call.product.definition.plan !== undefined;
    const body = is_secret && is_buyer ? await options.purchases.revealKey(step.body) : step.body;
    return renderServed({ channel, body, step, metered, is_replay: true });
  }

  async function assertSigned({ payload, network, call, ...asked }: ChannelCall): Promise<"yes" | "ask"> {
    const verdict = await checkVoucher(payload.voucher, payload.channelConfig, network);
    if (verdict !== "no") return verdict;
    options.countFree(call.client);
    throw refuseChannel("voucher_signature", `The voucher is not signed by the payer of channel ${asked.id}.`);
  }

  /** Asks a facilitator what the node cannot tell itself. @returns the channel as that says it is. */
  async function askFacilitator(asked: ChannelCall) {
    const { call, payload, requirement, authorizer, network } = asked;
    const payment = {
      payload,
      requirement,
      fee_payer: null,
      authorizer,
      payer: payload.channelConfig.payer.toLowerCase(),
    };
    const holder = options.limitOf(call.client) ?? payment.payer;
    const ask = () => options.pool.verify(network.id, payment);
    const { outcome, facilitator } = await options.stranger_slots.run({ priority: 0, holder }, ask);
    if (outcome.kind === "invalid") {
      options.countFree(call.client);
      throw refuseAsTold(outcome.reason);
    }
    const snapshot = outcome.kind === "valid" ? readSnapshot(outcome.extra) : null;
    if (snapshot === null || facilitator === null) {
      throw new NodeError("facilitator_unavailable", "No facilitator could check the channel. Nothing was charged.", {
        retry_after_s: 5,
      });
    }
    return { snapshot, facilitator, payment };
  }

  /** A channel that the books do not have: the chain's own word, where it can be read, before a facilitator's. */
  const askChain = async ({ network, id }: ChannelCall, said: ChannelSnapshot): Promise<ChannelSnapshot> =>
    (await askChannel(options, network, id)) ?? said;

  const moved_on = (channel: ChannelRow, price: bigint) =>
    refuseChannel(
      "cumulative_amount_mismatch",
      `The voucher must be over ${channel.charged + price}: ${channel.charged} were charged, the price is ${price}.`,
      renderCorrective(channel),
    );

  /** What can be said of a voucher before its answer is made. */
  async function assertNext({ signed, call, network }: ChannelCall, channel: ChannelRow, more = 0n): Promise<void> {
    const price = ceilingOf(call.product);
    if (channel.lost > 0n)
      throw refuseChannel("channel_not_found", "This channel was emptied: open one with another salt.");
    if (channel.charged + price !== signed) throw moved_on(channel, price);
    if (signed > balanceOf(channel) + more) {
      const hint = `The channel holds ${balanceOf(channel)}: put more into it.`;
      // A client whose deposit was cut off believes that there is more: from this word on it reads the chain again.
      if (more === 0n) throw refuseChannel("cumulative_amount_mismatch", hint, renderCorrective(channel));
      throw refuseChannel("cumulative_exceeds_balance", hint);
    }
    const wanted = { needed: signed, all: balanceOf(channel) };
    const held = await options.shortfalls.heldOf(channel.id, wanted, () => askChannel(options, network, channel.id));
    if (held !== null && signed > held) {
      const hint = `The chain shows ${held} in this channel: send the same payment again when the deposit is there.`;
      throw refuseChannel("channel_busy", hint);
    }
    if (channel.withdraw_at > 0) {
      throw refuseChannel(
        "cumulative_exceeds_balance",
        "What is in this channel is being withdrawn: open another one.",
      );
    }
    await assertRoom(channel, price);
  }

  const unclaimedOfAll = async (): Promise<bigint> =>
    (await channels.totals()).reduce((sum, { unclaimed }) => sum + unclaimed, 0n);
  const keptOfAll = keepFor(TOTALS_KEPT_MS, clock.now, unclaimedOfAll);

  /** What is not claimed may be lost: there is a most of it, and beyond that the node claims first. */
  async function assertRoom(channel: ChannelRow, price: bigint): Promise<void> {
    const { unclaimed_max, unclaimed_all_max } = options.limits;
    const is_full = (own: bigint): boolean => own > 0n && own + price > unclaimed_max;
    if (is_full(unclaimedOf(channel))) {
      await options.claimNow(channel);
      const now = (await channels.get(channel.id)) ?? channel;
      if (is_full(unclaimedOf(now))) throw notClaimed();
    }
    if ((await keptOfAll()) + price <= unclaimed_all_max) return;
    await options.claimNow(null);
    if ((await unclaimedOfAll()) + price > unclaimed_all_max) throw notClaimed();
  }

  /** Makes the answer; nothing is charged yet. */
  async function produce(asked: ChannelCall): Promise<ChannelMadeAnswer> {
    const { call } = asked;
    if (call.request.since === undefined) return produceWhole(asked);
    const base = await findBase(options, asked);
    const whole = await produceWhole(asked);
    const metered = meter(call.product, whole.counted);
    const { body, amount } = options.changes.render(call, base, { ...whole, price: metered?.charge });
    const is_whole = amount === (metered?.charge ?? call.product.price_atomic);
    const less = { charge: amount, headers: { [CHARGED]: renderUSD(amount) } };
    return { ...whole, body, metered: is_whole ? (metered ?? undefined) : less };
  }

  async function produceWhole({ call, payload }: ChannelCall): Promise<ChannelMadeAnswer> {
    const { product, request } = call;
    const payer = payload.channelConfig.payer.toLowerCase();
    const { plan } = product.definition;
    if (plan !== undefined) {
      const { body, ...purchase } = await options.purchases.prepare(call, plan, { payer, is_voucher: true });
      return { body, purchase };
    }
    const ready = runner.fresh(product, request);
    if (ready) return ready;
    const place = { priority: PRIORITY, holder: options.limitOf(call.client) ?? payer, payer };
    const make = () => runner.produce(product, request);
    return slots.run(place, () => (call.watch ? call.watch.produce(make) : make()));
  }

  const deposits = createDeposits(options, { askFacilitator, askChain, assertNext, produce, stepOf, moved_on });
  const refunds = createRefunds(options, { askFacilitator, moved_on });

  async function payByVoucher(asked: ChannelCall, known: ChannelRow | null, verdict: "yes" | "ask"): Promise<Served> {
    let channel = known;
    if (channel === null || verdict === "ask") {
      const { snapshot } = await askFacilitator(asked);
      channel ??= await adopt(asked, await askChain(asked, snapshot));
    }
    channel = await catchUp(channel, asked.signed, ceilingOf(asked.call.product));
    await assertNext(asked, channel);
    const made = await produce(asked);
    const metered = made.metered ?? meter(asked.call.product, made.counted);
    const next = stepOf(asked, metered, made);
    const charged = await channels.charge(next, { body: made.body }).catch((error: unknown) => {
      throw withOwed(error, made);
    });
    if (charged.ok) {
      const { amount: allowed, charge = allowed, signed } = next;
      const step = { id: charged.id, amount: charge, allowed, signed, deposit: null };
      return renderServed({ channel: charged.channel, body: toBuyer(made), step, metered, is_replay: false });
    }
    // Another node was first, or something of the channel is on its way: what was made is withheld.
    if (charged.why === "busy" || charged.channel === null) throw withOwed(busy(), made);
    if (charged.why === "used") throw withOwed(usedBefore(), made);
    throw withOwed(moved_on(charged.channel, ceilingOf(asked.call.product)), made);
  }

  /** The chain has a channel that the books do not: what it claimed so far is where vouchers go on from. */
  async function adopt(asked: ChannelCall, snapshot: ChannelSnapshot): Promise<ChannelRow> {
    const price = ceilingOf(asked.call.product);
    if (snapshot.total_claimed + price !== asked.signed || asked.signed > snapshot.balance) {
      const hint = `The voucher must be over ${snapshot.total_claimed + price}: as much was claimed, and the price.`;
      const short = `The channel holds ${snapshot.balance}: put more into it.`;
      const why = asked.signed > snapshot.balance ? short : hint;
      throw refuseChannel("cumulative_amount_mismatch", why, renderChainState(asked.id, snapshot));
    }
    return channels.open(newChannelOf(asked), snapshot);
  }

  const newChannelOf = ({ id, network, payload }: ChannelCall) => {
    const { payer, receiver, token } = payload.channelConfig;
    return {
      id,
      network: network.id,
      token: token.toLowerCase(),
      payer: payer.toLowerCase(),
      receiver: receiver.toLowerCase(),
      config: renderConfig(payload.channelConfig),
      label: options.labelOf(payer.toLowerCase()),
    };
  };

  async function serveInTurn(asked: ChannelCall, verdict: "yes" | "ask"): Promise<Served> {
    let channel = await channels.get(asked.id);
    if (channel !== null && channel.open_move !== null) channel = await moves.resolveOf(channel);
    if (channel !== null && asked.payload.type !== "refund") {
      const served = await recall(asked, channel);
      if (served) return served;
    }
    if (channel !== null && channel.open_move !== null) {
      const move = await channels.move(channel.open_move);
      if (move?.step?.voucher_sha256 === asked.voucher_sha256) throw settlementUnknown();
      throw busy();
    }
    switch (asked.payload.type) {
      case "voucher":
        return payByVoucher(asked, channel, verdict);
      case "deposit":
        if (verdict === "yes" && channel !== null) {
          channel = await catchUp(channel, asked.signed, ceilingOf(asked.call.product));
        }
        return deposits.pay(asked, channel, newChannelOf(asked));
      case "refund":
        if (verdict === "yes" && channel !== null) {
          channel = await catchUp(channel, asked.signed, 0n);
        }
        return refunds.give(asked, channel);
      default:
        return asked.payload satisfies never;
    }
  }

  return {
    id: "channel",
    isPresent: (headers) => readIncoming(headers) !== null,
    async serve(given) {
      const asked = await read(given);
      const { call, payload, voucher_sha256 } = asked;
      const by = {
        holder: payload.channelConfig.payer.toLowerCase(),
        network: options.limitOf(call.client),
        target: targetOf(call),
      };
      const fingerprint = payload.type === "refund" ? `refund ${payload.amount ?? ""}` : call.fingerprint;
      // Before its turn: a stranger who knows a channel must not delay its payer's calls with unsigned vouchers.
      const verdict = await assertSigned(asked);
      return inTurn(asked.id, { voucher: voucher_sha256, fingerprint }, () =>
        options.work.run(by, costOf(call), () => serveInTurn(asked, verdict)),
      );
    },
  };
}
