import type { Served } from "../../calls/access.ts";
import { NodeError } from "../../core/errors.ts";
import { ceilingOf, type MeteredCharge, meter } from "../../core/metering.ts";
import { withOwed } from "../../core/passed-on.ts";
import type { ChannelRow, ChannelStep, NewChannel } from "../../ledger/channel-rows.ts";
import type { PaymentToSettle, SettleOutcome } from "../facilitators/types.ts";
import { settlementUnknown } from "../gate/recall.ts";
import { refuseSettled } from "../gate/settle-refusal.ts";
import type { PaymentRefusal } from "../refusal.ts";
import type { ChannelSnapshot } from "./contract.ts";
import { refuseChannel } from "./refusals.ts";
import { renderChainState, renderServed } from "./render.ts";
import { readSettledSnapshot } from "./snapshots.ts";
import { busy } from "./turns.ts";
import { type ChannelAccessOptions, type ChannelCall, type ChannelMadeAnswer, toBuyer } from "./types.ts";

/** An authorization must outlive the settle call by this much. */
const SETTLE_MARGIN_MS = 8_000;

export interface DepositSteps {
  readonly askFacilitator: (asked: ChannelCall) => Promise<{
    readonly snapshot: ChannelSnapshot;
    readonly facilitator: string;
    readonly payment: PaymentToSettle;
  }>;
  /** The channel by the chain's own word, where that can be read; what was said of it where it cannot. */
  readonly askChain: (asked: ChannelCall, said: ChannelSnapshot) => Promise<ChannelSnapshot>;
  readonly assertNext: (asked: ChannelCall, channel: ChannelRow, more?: bigint) => Promise<void>;
  readonly produce: (asked: ChannelCall) => Promise<ChannelMadeAnswer>;
  readonly stepOf: (asked: ChannelCall, metered: MeteredCharge | null, made: ChannelMadeAnswer) => ChannelStep;
  readonly moved_on: (channel: ChannelRow, price: bigint) => PaymentRefusal;
}

/**
 * A deposit with the voucher for a call: the first one of a channel, or one that puts more into it. The order is that
 * of every payment here: verify, make the answer, write both down, send, and only then charge and hand over.
 */
export function createDeposits(options: ChannelAccessOptions, steps: DepositSteps) {
  const { ledger, pool, clock, log } = options;
  const { channels } = ledger;

  const validUntil = ({ payload }: ChannelCall): number =>
    payload.type === "deposit"
      ? Number(payload.deposit.authorization.erc3009Authorization.validBefore) * 1000
      : Number.POSITIVE_INFINITY;
  const assertTimeLeft = (asked: ChannelCall): void => {
    if (validUntil(asked) - clock.now() >= SETTLE_MARGIN_MS) return;
    const hint = "The deposit's authorization would end before it was settled: sign a new one.";
    throw refuseChannel("payload_authorization_valid_before", hint);
  };

  /** A channel the books do not have goes on from what the chain has claimed of it. */
  function assertFirst({ signed, call, id }: ChannelCall, snapshot: ChannelSnapshot, amount: bigint): void {
    const price = ceilingOf(call.product);
    if (snapshot.total_claimed + price !== signed) {
      const hint = `The voucher must be over ${snapshot.total_claimed + price}.`;
      throw refuseChannel("cumulative_amount_mismatch", hint, renderChainState(id, snapshot));
    }
    if (signed > snapshot.balance + amount) {
      throw refuseChannel("cumulative_exceeds_balance", "The deposit is smaller than the voucher: put more in.");
    }
    if (snapshot.withdraw_requested_at > 0) {
      throw refuseChannel(
        "cumulative_exceeds_balance",
        "What is in this channel is being withdrawn: open another one.",
      );
    }
  }

  async function pay(asked: ChannelCall, known: ChannelRow | null, channel: NewChannel): Promise<Served> {
    const { payload, call, id } = asked;
    if (payload.type !== "deposit") throw new Error("a deposit is paid");
    const amount = BigInt(payload.deposit.amount);
    if (amount === 0n) throw refuseChannel("deposit_payload", "A deposit puts something in.");
    assertTimeLeft(asked);
    if (known !== null) await steps.assertNext(asked, known, amount);
    const { snapshot, facilitator, payment } = await steps.askFacilitator(asked);
    const state = known === null ? await steps.askChain(asked, snapshot) : snapshot;
    if (known === null) assertFirst(asked, state, amount);
    const made = await steps.produce(asked);
    assertTimeLeft(asked);
    const metered = made.metered ?? meter(call.product, made.counted);
    const begun = await channels.begin({
      kind: "deposit",
      channel: id,
      amount,
      facilitator,
      valid_until_ms: validUntil(asked),
      step: { ...steps.stepOf(asked, metered, made), body: made.body },
      opening: known === null ? { channel, state } : null,
    });
    if (!begun.ok) {
      throw withOwed(
        begun.channel === null || begun.why === "busy"
          ? busy()
          : steps.moved_on(begun.channel, ceilingOf(call.product)),
        made,
      );
    }
    const { outcome, facilitator: settled_by } = await pool.settle(facilitator, payment);
    log({ event: "channel_deposit", channel: id, facilitator: settled_by, outcome: outcome.kind });
    return finish({ asked, move: begun.id, amount, outcome, made, metered });
  }

  interface Sent {
    readonly asked: ChannelCall;
    readonly move: number;
    readonly amount: bigint;
    readonly outcome: SettleOutcome;
    readonly made: ChannelMadeAnswer;
    readonly metered: MeteredCharge | null;
  }
  async function finish({ asked, move, amount, outcome, made, metered }: Sent): Promise<Served> {
    const { id, network, payload, call } = asked;
    const payer = payload.channelConfig.payer.toLowerCase();
    const fail = (reason: string) => channels.end(move, { state: "failed", reason });
    switch (outcome.kind) {
      case "settled": {
        const row = await channels.get(id);
        const said = readSettledSnapshot(outcome.extra);
        if (row === null) throw settlementUnknown();
        const balance = row.deposited - row.refunded + amount;
        if (said !== null && said.balance < balance) {
          // It says that it landed, and that it is not there: the chain has the word.
          const reason = "settled, with a balance that lacks it";
          await channels.end(move, { state: "unknown", reason, chain_transaction: outcome.transaction });
          throw settlementUnknown();
        }
        const now = {
          balance,
          total_claimed: row.claimed,
          withdraw_requested_at: row.withdraw_at,
          refund_nonce: said?.refund_nonce ?? row.refund_nonce,
        };
        const { transaction: chain_transaction } = outcome;
        const after = await channels.end(move, { state: "done", chain_transaction, now }).catch(() => {
          // The money moved and our disk did not take it: the row stays, and the chain proves it later.
          throw settlementUnknown();
        });
        const step = await channels.findStep(id, asked.signed);
        if (after === null || step === null) throw settlementUnknown();
        return renderServed({ channel: after, body: toBuyer(made), step, metered, is_replay: false });
      }
      case "refused":
        await fail(outcome.reason);
        throw refuseSettled({ reason: outcome.reason, network: network.id, payer }, made);
      case "unseen":
        await fail(outcome.cause);
        throw withOwed(
          new NodeError("facilitator_unavailable", `No facilitator took the deposit for ${call.product.path}.`, {
            retry_after_s: 5,
          }),
          made,
        );
      case "unknown":
        await channels.end(move, {
          state: "unknown",
          reason: outcome.cause,
          chain_transaction: outcome.transaction ?? null,
        });
        throw settlementUnknown();
      default:
        return outcome satisfies never;
    }
  }

  return { pay };
}
