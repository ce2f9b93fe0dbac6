import { sha256Hex } from "../../core/hash.ts";
import { createLRU } from "../../core/lru.ts";
import type { CallName, Charge, ChargeCommands, Charged, ChargeResult, HoldResult } from "../charges.ts";
import { dayOf } from "../decide/spending.ts";
import type { PassCall } from "../pass-calls.ts";
import { unwritable } from "../writer.ts";
import type { Joined } from "./batch.ts";
import { type CommandLane, CommandRefused, type Place } from "./command-lane.ts";
import { DEBITS, type Debit, type Stored } from "./debits.ts";
import { renderArguments } from "./json.ts";

const BODIES_MAX = 2_000;
const REFUSED_MAX = 10_000;
/** Kept bytes are sent again when they are used this long after: pruning goes by their first time. */
const ANSWER_REUSE_US = 3_600_000_000;
const ANSWER_GONE = "LB003";
const MINUTE_MS = 60_000;

/** What a call answers with: bytes the books have are named. */
type Bytes = ({ readonly id: number } | { readonly body: string; readonly sha256: string }) & {
  readonly name: CallName | null;
};

function joinDebit({ key, root, product, amount, now_ms }: Charge, bytes: Bytes): Joined | undefined {
  // A debit with a name is looked up before it is booked, and so goes alone.
  if (bytes.name !== null || root.account === null) return undefined;
  const day = dayOf(now_ms);
  const answer = "id" in bytes ? bytes.id : { body: bytes.body, sha256: bytes.sha256 };
  const part: Debit = { account: root.account, key: key.id, cap: key.daily_cap, amount, product, day, answer };
  return { joint: DEBITS, part, alike: day };
}

/** Calls that no command has taken yet. */
interface Counted {
  times: number;
}

/** What a charge needs of its keys. */
const trim = ({ key, root, product, amount, now_ms }: Charge): Charge => ({
  key: { id: key.id, daily_cap: key.daily_cap },
  root: { account: root.account },
  product,
  amount,
  now_ms,
});

/** Every charge locks a balance first. Those of one balance stay in the order they came. */
const orderOf = ({ root }: Charge): string => root.account ?? "";

export function createChargeCommands(lane: CommandLane): ChargeCommands {
  /** Where an answer's bytes are kept. Most calls of a cached product share one string, and so one row. */
  const bodies = createLRU<number>(BODIES_MAX);
  const counted = new Map<string, Counted>();
  /** Keys whose last debit was refused: the next goes alone, as one that is refused holds up all that go with it. */
  const refused = createLRU<true, number>(REFUSED_MAX);
  /** The balance of each hold that is open here. */
  const held = new Map<number, string>();

  const call = async (name: string, args: readonly unknown[], place: Place = {}): Promise<unknown> => {
    try {
      return await lane.call(`charges.${name}`, () => renderArguments(args), place);
    } catch (error) {
      if (error instanceof CommandRefused && error.state !== ANSWER_GONE) {
        throw unwritable(`${error.state}: ${error.message}`);
      }
      throw error;
    }
  };

  /** Bytes the books have are named; those they do not have, or no more, are sent. */
  async function withBytes(
    { body, name }: { body: string; name: CallName | null },
    send: (answer: Bytes) => Promise<unknown>,
  ): Promise<ChargeResult> {
    const kept = bodies.get(body);
    const sendWhole = () => send({ body, sha256: sha256Hex(body), name });
    let stored: Stored;
    try {
      stored = (await (kept === undefined ? sendWhole() : send({ id: kept, name }))) as Stored;
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      bodies.delete(body);
      stored = (await sendWhole()) as Stored;
    }
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
    async debit(charge, answer) {
      const result = await withBytes(answer, (bytes) => {
        const joined = refused.has(charge.key.id) ? undefined : joinDebit(charge, bytes);
        return call("debit", [trim(charge), bytes], { order: orderOf(charge), joined });
      });
      if (!result.ok) refused.set(charge.key.id, true);
      else if (refused.has(charge.key.id)) refused.delete(charge.key.id);
      return result;
    },
    async hold(charge, name): Promise<HoldResult> {
      const stored = (await call("hold", [trim(charge), name], { order: orderOf(charge) })) as Stored;
      if (stored.ok && stored.id !== undefined) {
        held.set(stored.id, orderOf(charge));
        return { ok: true, id: stored.id };
      }
      return readResult(stored) as Extract<ChargeResult, { ok: false }>;
    },
    async post(hold, charge, answer) {
      held.delete(hold);
      return (await withBytes(answer, (bytes) =>
        call("post", [hold, trim(charge), bytes], { order: orderOf(charge) }),
      )) as Charged;
    },
    async void(hold) {
      const order = held.get(hold) ?? "";
      held.delete(hold);
      // What cannot be given back now is at the next start.
      await call("void", [hold], { order }).catch(() => undefined);
    },
    pass: async (pass) => countPass(pass),
    refund: async (call_id) => BigInt(((await call("refund", [call_id])) as { amount: string }).amount),
    recover: async () => Number(await call("recover", [])),
    pruneAnswers: async (before_ms) => Number(await call("pruneAnswers", [before_ms])),
  };
}

function readResult({ ok, why, available, call_id }: Stored): ChargeResult {
  if (ok && call_id !== undefined) return { ok: true, call_id, available: BigInt(available) };
  return { ok: false, why: why ?? "insufficient_credits", available: BigInt(available) };
}
