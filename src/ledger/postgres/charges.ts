import { sha256Hex } from "../../core/hash.ts";
import { createLRU } from "../../core/lru.ts";
import type { Charge, ChargeCommands, Charged, ChargeResult, HoldResult } from "../charges.ts";
import type { PassCall } from "../pass-calls.ts";
import { unwritable } from "../writer.ts";
import type { AnswerBytes } from "./charge-rows.ts";
import { type CommandLane, CommandRefused } from "./command-lane.ts";
import type { DecidedCommand } from "./decided-command.ts";
import { renderArguments } from "./json.ts";
import { debitOn, holdOn, postOn, recoverHolds, refundOn, type Stored, voidOn } from "./spending.ts";

const BODIES_MAX = 2_000;
/** Kept bytes are sent again when they are used this long after: pruning goes by their first time. */
const ANSWER_REUSE_US = 3_600_000_000;
const MINUTE_MS = 60_000;

/** Calls that no command has taken yet. */
interface Counted {
  times: number;
}

/** Charges of one balance stay in the order they came. */
const orderOf = ({ root }: Charge): string => root.account ?? "";

export function createChargeCommands(lane: CommandLane): ChargeCommands {
  /** Where an answer's bytes are kept. Most calls of a cached product share one string, and so one row. */
  const bodies = createLRU<number>(BODIES_MAX);
  const counted = new Map<string, Counted>();
  /** The balance of each hold that is open here. */
  const held = new Map<number, string>();

  const answered = async (answer: Promise<unknown>): Promise<unknown> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof CommandRefused ? unwritable(`${error.state}: ${error.message}`) : error;
    }
  };
  const decide = (command: DecidedCommand, order = ""): Promise<unknown> => answered(lane.decide(command, order));

  /** Bytes that the books have are sent by name; all others are sent whole. */
  async function withBytes(body: string, send: (bytes: AnswerBytes) => Promise<unknown>): Promise<ChargeResult> {
    const kept = bodies.get(body);
    const sendWhole = () => send({ body, sha256: sha256Hex(body) });
    let stored = (await (kept === undefined ? sendWhole() : send({ id: kept }))) as Stored;
    if (stored.why === "answer_gone") stored = (await sendWhole()) as Stored;
    if (stored.answer_id !== undefined && stored.call_id !== undefined) {
      if (stored.call_id - stored.answer_id < ANSWER_REUSE_US) bodies.set(body, stored.answer_id);
      else bodies.delete(body);
    }
    return readResult(stored);
  }

  function countPass({ key, product, now_ms }: PassCall): void {
    const name = `${key.id} ${product} ${Math.floor(now_ms / MINUTE_MS)}`;
    const known = counted.get(name);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const own: Counted = { times: 1 };
    counted.set(name, own);
    const take = () => {
      counted.delete(name);
      return renderArguments([{ key: { id: key.id }, product, now_ms }, own.times]);
    };
    // No money depends on it: what cannot be written now is not counted.
    lane.call("charges.pass", take, { order: ` ${key.id}` }).catch(() => counted.delete(name));
  }

  return {
    debit: (charge, { body, name }) =>
      withBytes(body, (bytes) => decide(debitOn(charge, { bytes, name }), orderOf(charge))),
    async hold(charge, name): Promise<HoldResult> {
      const stored = (await decide(holdOn(charge, name), orderOf(charge))) as Stored;
      if (stored.ok && stored.id !== undefined) {
        held.set(stored.id, orderOf(charge));
        return { ok: true, id: stored.id };
      }
      return readResult(stored) as Extract<ChargeResult, { ok: false }>;
    },
    async post(hold, charge, { body, name }) {
      held.delete(hold);
      const send = (bytes: AnswerBytes) => decide(postOn(hold, charge, { bytes, name }), orderOf(charge));
      return (await withBytes(body, send)) as Charged;
    },
    async void(hold) {
      const order = held.get(hold) ?? "";
      held.delete(hold);
      // A hold that cannot be released now is released at the next start.
      await decide(voidOn(hold), order).catch(() => undefined);
    },
    pass: async (pass) => countPass(pass),
    refund: async (call_id) => BigInt(String(await decide(refundOn(call_id)))),
    recover: async () => Number(await decide(recoverHolds)),
    pruneAnswers: async (before_ms) =>
      Number(await answered(lane.call("charges.pruneAnswers", renderArguments([before_ms])))),
  };
}

function readResult({ ok, why, available, call_id }: Stored): ChargeResult {
  if (ok && call_id !== undefined) return { ok: true, call_id, available: BigInt(available) };
  const refusal = why === undefined || why === "answer_gone" ? "insufficient_credits" : why;
  return { ok: false, why: refusal, available: BigInt(available) };
}
