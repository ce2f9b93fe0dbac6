import { CHANNEL_SQL, type ChannelQueries, type StoredTotals, toTotals } from "../channel-queries.ts";
import {
  type ChannelRow,
  type MoveEnd,
  type MoveResult,
  type StepResult,
  type StoredChannel,
  type StoredMove,
  type StoredStepRow,
  toChannelRow,
  toMove,
  toStep,
} from "../channel-rows.ts";
import type { ChannelCommands } from "../channels.ts";
import type { Promised } from "../promised.ts";
import { bringSalt, type LandedPurchase } from "../purchase.ts";
import { unwritable } from "../writer.ts";
import { type ChannelAnswer, chargeOn, claimOn, endOn, openOn, sendOn, sweepOn, syncOn } from "./channel-commands.ts";
import { type CommandLane, CommandRefused } from "./command-lane.ts";
import type { DecidedCommand } from "./decided-command.ts";
import type { Reader } from "./reader.ts";

export function createChannelQueries({ all, get }: Reader): Promised<ChannelQueries> {
  const one = async <S, T>(sql: string, values: readonly (string | number | bigint)[], read: (row: S) => T) => {
    const row = await get<S>(sql, values);
    return row === null ? null : read(row);
  };
  return {
    get: (id) => one<StoredChannel, ChannelRow>(CHANNEL_SQL.get, [id], toChannelRow),
    findStep: (channel, signed) => one(CHANNEL_SQL.step, [channel, signed], (row: StoredStepRow) => toStep(row)),
    step: (channel, id) => one(CHANNEL_SQL.step_by_id, [channel, id], (row: StoredStepRow) => toStep(row)),
    move: (id) => one(CHANNEL_SQL.move, [id], (row: StoredMove) => toMove(row)),
    openMoves: async (limit) => (await all<StoredMove>(CHANNEL_SQL.open_moves, [limit])).map(toMove),
    unclaimed: async (limit) => (await all<StoredChannel>(CHANNEL_SQL.unclaimed, [limit])).map(toChannelRow),
    watched: async (since_ms, limit) =>
      (await all<StoredChannel>(CHANNEL_SQL.watched, [since_ms * 1000, limit])).map(toChannelRow),
    idle: async (before_ms, least, limit) =>
      (await all<StoredChannel>(CHANNEL_SQL.idle, [before_ms * 1000, least, limit])).map(toChannelRow),
    totals: async () => (await all<StoredTotals>(CHANNEL_SQL.totals)).map(toTotals),
  };
}

/** Each command's answer is read afterwards, from the channel's state at that time. */
export function createChannelCommands(
  lane: CommandLane,
  queries: Promised<ChannelQueries>,
  { get }: Pick<Reader, "get">,
): ChannelCommands {
  const answered = async (answer: Promise<unknown>): Promise<unknown> => {
    try {
      return await answer;
    } catch (error) {
      throw error instanceof CommandRefused ? unwritable(`${error.state}: ${error.message}`) : error;
    }
  };
  const decide = (command: DecidedCommand): Promise<unknown> => answered(lane.decide(command, ""));
  const read = async (id: unknown): Promise<ChannelRow | null> => (typeof id === "string" ? queries.get(id) : null);
  const need = async (id: unknown): Promise<ChannelRow> => {
    const row = await read(id);
    if (row === null) throw unwritable("a channel went away while it was looked at");
    return row;
  };
  /** What is locked depends on it. Neither changes once it was sent, but for the answer, which goes in time. */
  const findPurchase = async (id: number, { state }: MoveEnd): Promise<LandedPurchase | null> => {
    const move = state === "done" ? await queries.move(id) : null;
    if (move?.step?.purchase === undefined) return null;
    const kept = await get<{ body: string }>(CHANNEL_SQL.move_answer, [id]);
    return bringSalt(move.step.purchase, kept?.body ?? null);
  };
  return {
    async charge(step, { body }): Promise<StepResult> {
      const answer = (await decide(chargeOn(step, body))) as ChannelAnswer;
      if (!answer.ok) return { ok: false, why: answer.why, channel: await read(answer.channel) };
      return { ok: true, id: answer.id, channel: await need(answer.channel) };
    },
    open: async (channel, state) => need(await decide(openOn(channel, state))),
    async begin(move): Promise<MoveResult> {
      const answer = (await decide(sendOn(move))) as ChannelAnswer;
      if (answer.ok) return { ok: true, id: answer.id };
      return { ok: false, why: answer.why, channel: await read(answer.channel) };
    },
    end: async (id, ended) => read(await decide(endOn(id, ended, await findPurchase(id, ended)))),
    claimed: async (claims, chain_transaction) => BigInt(String(await decide(claimOn(claims, chain_transaction)))),
    swept: async (network, amount, chain_transaction) =>
      BigInt(String(await decide(sweepOn(network, amount, chain_transaction)))),
    sync: async (channel, state) => read(await decide(syncOn(channel, state))),
    recover: async () => Number(await answered(lane.call("channels.recover", "[]"))),
  };
}
