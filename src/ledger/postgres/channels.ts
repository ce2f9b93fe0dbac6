import { sha256Hex } from "../../core/hash.ts";
import { CHANNEL_SQL, type ChannelQueries, type StoredTotals, toTotals } from "../channel-queries.ts";
import {
  type ChannelRow,
  type MoveResult,
  renderStep,
  type StepDenied,
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
import { unwritable } from "../writer.ts";
import { type CommandLane, CommandRefused } from "./command-lane.ts";
import { renderArguments } from "./json.ts";
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
    totals: async () => (await all<StoredTotals>(CHANNEL_SQL.totals)).map(toTotals),
  };
}

type Answer =
  | { readonly ok: true; readonly id: number; readonly channel?: string }
  | { readonly ok: false; readonly why: StepDenied; readonly channel: string | null };

/** What a command says of a channel is read afterwards, as it is then. */
export function createChannelCommands(lane: CommandLane, queries: Promised<ChannelQueries>): ChannelCommands {
  const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> => {
    try {
      return await lane.call(`channels.${name}`, renderArguments(args));
    } catch (error) {
      throw error instanceof CommandRefused ? unwritable(`${error.state}: ${error.message}`) : error;
    }
  };
  const read = async (id: unknown): Promise<ChannelRow | null> => (typeof id === "string" ? queries.get(id) : null);
  const bytesOf = (body: string) => ({ body, sha256: sha256Hex(body) });
  return {
    async charge(step, { body }): Promise<StepResult> {
      const answer = (await call("charge", step, bytesOf(body))) as Answer;
      const channel = await read(answer.channel);
      if (!answer.ok) return { ok: false, why: answer.why, channel };
      if (channel === null) throw unwritable("a channel went away while it was looked at");
      return { ok: true, id: answer.id, channel };
    },
    async open(channel, state) {
      const row = await read(await call("open", channel, state));
      if (row === null) throw unwritable("a channel went away while it was looked at");
      return row;
    },
    async begin({ step, ...move }): Promise<MoveResult> {
      const told = step && { ...step, ...bytesOf(step.body) };
      const answer = (await call("begin", { ...move, step: told, step_text: step && renderStep(step) })) as Answer;
      return answer.ok ? answer : { ok: false, why: answer.why, channel: await read(answer.channel) };
    },
    end: async (id, ended) => read(await call("end", id, ended)),
    async claimed(claims, chain_transaction) {
      // They go in one batch, and so in one transaction.
      const amounts = await Promise.all(claims.map((claim) => call("claim", claim)));
      const sum = amounts.reduce<bigint>((total, amount) => total + BigInt(String(amount)), 0n);
      const network = claims[0] === undefined ? undefined : (await queries.get(claims[0].channel))?.network;
      if (sum > 0n && network !== undefined) await call("noteClaim", network, sum, chain_transaction);
      return sum;
    },
    swept: async (network, amount, chain_transaction) =>
      BigInt(String(await call("swept", network, amount, chain_transaction))),
    sync: async (channel, state) => read(await call("sync", channel, state)),
    recover: async () => Number(await call("recover")),
  };
}
