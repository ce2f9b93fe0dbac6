import { hashApiKey, isApiKeyForm } from "../core/api-key.ts";
import { renderTime } from "../core/clock.ts";
import { renderUSD } from "../core/money.ts";
import type { CallStory, ChannelStory, KeyStory, PaymentStory, Stories, StoryWord } from "../ledger/stories.ts";
import type { FindAnswer, StoryAnswer } from "./answers.ts";

/** What is known beside the books. */
export interface StoryContext {
  readonly now_ms: number;
  /** How long a stored answer is kept for its buyer: `[payments] replay_window`. */
  readonly replay_window_ms: number;
  /** What an answer was asked for, by the SHA-256 of its bytes; null when that is not kept. */
  readonly askedOf: (response_sha256: string) => string | null;
  readonly explorerUrl: (network: string, transaction: string) => string | null;
}

const WORD_CHARS_MAX = 300;
/** PostgreSQL takes neither the character nothing nor half of a pair. */
const UNASKABLE = /\0/g;

/** What somebody pasted, as the books are asked for it. A key itself is looked up by its hash and shown nowhere. */
export function readStoryWord(text: string): StoryWord {
  const word = text.toWellFormed().replace(UNASKABLE, "").trim().slice(0, WORD_CHARS_MAX);
  return { word, key_hash: isApiKeyForm(word) ? hashApiKey(word) : null };
}

const KEY_CHARS_SHOWN = 8;
const showWord = ({ word, key_hash }: StoryWord): string =>
  key_hash === null ? word : `${word.slice(0, KEY_CHARS_SHOWN)}…`;

/** Every story a word names, in words and figures: what was paid, asked and delivered, and what is still due. */
export function renderStories(word: StoryWord, found: Stories, context: StoryContext): FindAnswer {
  return {
    word: showWord(word),
    stories: [
      ...found.payments.map((one) => renderPayment(one, context)),
      ...found.calls.map((one) => renderCall(one, context)),
      ...found.keys.map((one) => renderKey(one, context)),
      ...found.channels.map((one) => renderChannel(one, context)),
    ],
    has_more: found.has_more,
    log: [],
  };
}

const time = (ms: number | null): string | null => (ms === null ? null : renderTime(ms));

/** Until when the stored answer can be fetched again; null when it cannot. */
function fetchUntil(kept: { readonly answer_chars: number | null; readonly since_ms: number }, context: StoryContext) {
  const until_ms = kept.since_ms + context.replay_window_ms;
  return kept.answer_chars === null || until_ms <= context.now_ms ? null : renderTime(until_ms);
}

const FETCH_PAYMENT = "by sending the same payment again, or at";

/** The one sentence to begin an answer with. */
function judgePayment(one: PaymentStory, until: string | null): string {
  const again =
    until === null ? "" : ` Until ${until} its buyer gets it again ${FETCH_PAYMENT} /payments/${one.payment_id}.`;
  switch (one.state) {
    case "settled": {
      const gone = until === null ? " The answer is no longer kept." : again;
      if (one.receipt?.on_chain === "missing") {
        return `The facilitator said it was paid; the chain does not have it. The answer was made and kept.${again}`;
      }
      return one.delivered ? `Paid and handed over.${gone}` : `Paid, and the answer did not reach its buyer.${gone}`;
    }
    case "unknown":
      return "Nobody knows yet whether it was paid: the node goes on looking. The same payment gets the answer then.";
    case "settle_failed":
      return "Never charged: the settlement was refused, and the answer withheld.";
    case "rejected":
      return "Never charged: the payment was not valid.";
    case "abandoned":
      return "Never charged: no answer came of it, so nothing was settled.";
    default:
      return "It is being worked on.";
  }
}

function tellGivenBack({ given_back }: PaymentStory): string {
  const sum = given_back.reduce((all, { amount }) => all + amount, 0n);
  return sum === 0n ? "" : ` ${renderUSD(sum)} USD of it was sent back.`;
}

function tellCorrected({ corrections: [last], receipt }: PaymentStory): string {
  if (last === undefined || receipt?.on_chain === "missing") return "";
  return ` You found that ${renderUSD(last.received)} USD came in for it.`;
}

function renderPayment(one: PaymentStory, context: StoryContext): StoryAnswer {
  const { receipt, bought, transaction } = one;
  const until = one.state === "settled" ? fetchUntil({ ...one, since_ms: one.updated_at_ms }, context) : null;
  return {
    kind: "payment",
    id: one.payment_id,
    verdict: `${judgePayment(one, until)}${tellCorrected(one)}${tellGivenBack(one)}`,
    facts: {
      at: renderTime(one.created_at_ms),
      product: one.product,
      asked: receipt?.response_sha256 ? context.askedOf(receipt.response_sha256) : null,
      request_sha256: receipt?.request_sha256 ?? null,
      amount_usd: renderUSD(one.amount),
      amount_atomic: one.amount.toString(),
      network: one.network,
      payer: one.payer,
      pay_to: one.pay_to,
      transaction,
      transaction_named: transaction === null ? one.hint_transaction : null,
      explorer_url: transaction === null ? null : context.explorerUrl(one.network, transaction),
      facilitator: one.facilitator,
      door: one.door,
      state: one.state,
      reason: one.reason,
      settled_at: time(receipt?.settled_at_ms ?? null),
      receipt_id: receipt?.receipt_id ?? null,
      label: receipt?.label ?? null,
      node: receipt?.node ?? null,
      on_chain: receipt === null ? null : (receipt.on_chain ?? "unchecked"),
      on_chain_looks: receipt?.looks ?? null,
      on_chain_checked_at: time(receipt?.checked_at_ms ?? null),
      on_chain_doubted: receipt?.doubted === true ? true : null,
      delivered: receipt === null ? null : one.delivered,
      answer_chars: one.answer_chars,
      response_sha256: receipt?.response_sha256 ?? null,
      fetch_until: until,
      bought_key: bought?.key_id ?? null,
      bought_plan: bought?.plan ?? null,
      bought_credit_usd: bought === null ? null : renderUSD(bought.credit),
    },
    lists: {
      corrections: one.corrections.map(({ at_ms, received, reference, reason }) => ({
        at: renderTime(at_ms),
        received_usd: renderUSD(received),
        reference,
        reason,
      })),
      given_back: one.given_back.map(({ at_ms, amount, reference, reason }) => ({
        at: renderTime(at_ms),
        amount_usd: renderUSD(amount),
        reference,
        reason,
      })),
    },
  };
}

function judgeCall(one: CallStory, until: string | null): string {
  if (one.refunded_at_ms !== null) return `Given back at ${renderTime(one.refunded_at_ms)}.`;
  if (one.access === "coupon") return "Free: a coupon paid for it.";
  if (one.access === "pass") return "Free: the key had a pass.";
  const paid = "Paid from the key's balance and handed over.";
  if (until === null) return `${paid} The answer is no longer kept.`;
  return `${paid} Until ${until} the key gets it again at /payments/call_${one.id}.`;
}

function renderCall(one: CallStory, context: StoryContext): StoryAnswer {
  const until = fetchUntil({ ...one, since_ms: one.at_ms }, context);
  return {
    kind: "call",
    id: `call_${one.id}`,
    verdict: judgeCall(one, until),
    facts: {
      at: renderTime(one.at_ms),
      product: one.product,
      asked: one.response_sha256 === null ? null : context.askedOf(one.response_sha256),
      amount_usd: renderUSD(one.amount),
      amount_atomic: one.amount.toString(),
      access: one.access,
      calls: one.times,
      door: one.door,
      key_id: one.key_id,
      balance_of: one.parent_id,
      answer_chars: one.answer_chars,
      response_sha256: one.response_sha256,
      fetch_until: until,
      refunded_at: time(one.refunded_at_ms),
    },
    lists: {},
  };
}

function judgeKey({ key }: KeyStory, now_ms: number): string {
  if (key.revoked_at_ms !== null) return `Ended for good at ${renderTime(key.revoked_at_ms)}.`;
  if (key.suspended_at_ms !== null) {
    return `Suspended since ${renderTime(key.suspended_at_ms)}: a payment for it is missing on the chain.`;
  }
  if (key.expires_at_ms !== null && key.expires_at_ms <= now_ms) return `It ended at ${renderTime(key.expires_at_ms)}.`;
  return "It can be used.";
}

function renderKey(story: KeyStory, context: StoryContext): StoryAnswer {
  const { key, usage, balance, lots, grants, calls } = story;
  const usd = (amount: bigint | null) => (amount === null ? null : renderUSD(amount));
  return {
    kind: "key",
    id: key.public_id,
    verdict: judgeKey(story, context.now_ms),
    facts: {
      label: key.label,
      plan: key.plan,
      purchaser: key.purchaser,
      balance_of: story.parent_id,
      balance_usd: usd(balance?.posted ?? null),
      held_usd: balance === null || balance.pending === 0n ? null : renderUSD(balance.pending),
      balance_until: time(key.balance_until_ms),
      pass_until: time(key.pass_until_ms),
      expires_at: time(key.expires_at_ms),
      created_at: renderTime(key.created_at_ms),
      calls: usage.calls,
      spent_usd: renderUSD(usage.spent),
    },
    lists: {
      grants: grants.map(({ at_ms, plan, paid, credit, payment_id }) => ({
        at: renderTime(at_ms),
        plan,
        paid_usd: renderUSD(paid),
        credit_usd: renderUSD(credit),
        payment_id,
      })),
      lots: lots.map(({ at_ms, credit, left, until_ms }) => ({
        at: renderTime(at_ms),
        credit_usd: renderUSD(credit),
        left_usd: renderUSD(left),
        until: time(until_ms),
      })),
      last_calls: calls.map((one) => ({
        id: `call_${one.id}`,
        at: renderTime(one.at_ms),
        product: one.product,
        calls: one.times,
        amount_usd: renderUSD(one.amount),
        refunded_at: time(one.refunded_at_ms),
        fetch_until: fetchUntil({ ...one, since_ms: one.at_ms }, context),
      })),
    },
  };
}

function renderChannel({ channel, vouchers, moves }: ChannelStory, context: StoryContext): StoryAnswer {
  const left = channel.deposited - channel.refunded - channel.charged + channel.lost;
  return {
    kind: "channel",
    id: channel.id,
    verdict: `Its payer put in ${renderUSD(channel.deposited)} USD; ${renderUSD(left)} USD of it is still his.`,
    facts: {
      network: channel.network,
      payer: channel.payer,
      label: channel.label,
      charged_usd: renderUSD(channel.charged),
      claimed_usd: renderUSD(channel.claimed),
      given_back_usd: renderUSD(channel.refunded),
      lost_usd: channel.lost === 0n ? null : renderUSD(channel.lost),
      withdraws_at: channel.withdraw_at === 0 ? null : renderTime(channel.withdraw_at * 1000),
      used_at: renderTime(channel.used_at_ms),
    },
    lists: {
      last_calls: vouchers.map((one) => ({
        id: `voucher_${one.id}`,
        at: renderTime(one.at_ms),
        product: one.product,
        amount_usd: renderUSD(one.amount),
        fetch_until: fetchUntil({ ...one, since_ms: one.at_ms }, context),
      })),
      on_chain: moves.map(({ created_at_ms, amount, ...move }) => ({
        at: renderTime(created_at_ms),
        ...move,
        amount_usd: renderUSD(amount),
      })),
    },
  };
}

const ASKED_CHARS_MAX = 2_000;

/** What was asked, from what is kept of how an answer was made: "/gas {"chain":"base"}". */
export function renderAsked(recipe: string): string {
  const { path = "", params = "" } = JSON.parse(recipe) as { readonly path?: string; readonly params?: string };
  return `${path} ${params}`.slice(0, ASKED_CHARS_MAX).trim();
}
