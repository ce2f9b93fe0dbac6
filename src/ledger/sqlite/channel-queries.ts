import type { Database } from "bun:sqlite";
import { CHANNEL_SQL, type ChannelQueries, type StoredTotals, toTotals } from "../channel-queries.ts";
import {
  type StoredChannel,
  type StoredMove,
  type StoredStepRow,
  toChannelRow,
  toMove,
  toStep,
} from "../channel-rows.ts";

export function createChannelQueries(db: Database): ChannelQueries {
  const get = db.query<StoredChannel, [string]>(CHANNEL_SQL.get.replaceAll("$", "?"));
  const step = db.query<StoredStepRow, [string, bigint]>(CHANNEL_SQL.step.replaceAll("$", "?"));
  const step_by_id = db.query<StoredStepRow, [string, number]>(CHANNEL_SQL.step_by_id.replaceAll("$", "?"));
  const move = db.query<StoredMove, [number]>(CHANNEL_SQL.move.replaceAll("$", "?"));
  const open_moves = db.query<StoredMove, [number]>(CHANNEL_SQL.open_moves.replaceAll("$", "?"));
  const unclaimed = db.query<StoredChannel, [number]>(CHANNEL_SQL.unclaimed.replaceAll("$", "?"));
  const watched = db.query<StoredChannel, [number, number]>(CHANNEL_SQL.watched.replaceAll("$", "?"));
  const idle = db.query<StoredChannel, [number, bigint, number]>(CHANNEL_SQL.idle.replaceAll("$", "?"));
  const totals = db.query<StoredTotals, []>(CHANNEL_SQL.totals);
  const one = <S, T>(row: S | null, read: (row: S) => T): T | null => (row === null ? null : read(row));
  return {
    get: (id) => one(get.get(id), toChannelRow),
    findStep: (channel, signed) => one(step.get(channel, signed), toStep),
    step: (channel, id) => one(step_by_id.get(channel, id), toStep),
    move: (id) => one(move.get(id), toMove),
    openMoves: (limit) => open_moves.all(limit).map(toMove),
    unclaimed: (limit) => unclaimed.all(limit).map(toChannelRow),
    watched: (since_ms, limit) => watched.all(since_ms * 1000, limit).map(toChannelRow),
    idle: (before_ms, least, limit) => idle.all(before_ms * 1000, least, limit).map(toChannelRow),
    totals: () => totals.all().map(toTotals),
  };
}
