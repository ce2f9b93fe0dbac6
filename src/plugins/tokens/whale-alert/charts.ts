import type { Chart } from "intel-node";
import { classify } from "../whales/labels.ts";
import type { TransferRow } from "../whales/tables.ts";
import type { WhaleAlertInputs } from "./fetch.ts";

const HOUR_MS = 3_600_000;

function sumByHour(rows: readonly TransferRow[], hours: readonly number[]): [number, number][] {
  const sums = new Map(hours.map((hour) => [hour, 0]));
  for (const { at_ms, usd } of rows) {
    const hour = Math.floor(at_ms / HOUR_MS) * HOUR_MS;
    if (sums.has(hour)) sums.set(hour, (sums.get(hour) ?? 0) + usd);
  }
  return [...sums];
}

/** What went into and out of labelled exchanges, by the hour in which it was read; whole hours only. */
export function drawWhaleAlert({ rows, from_ms, read_at_ms }: WhaleAlertInputs): readonly Chart[] {
  const first_ms = Math.ceil(from_ms / HOUR_MS) * HOUR_MS;
  const count = Math.floor(read_at_ms / HOUR_MS) - first_ms / HOUR_MS;
  // An unread hour is not an hour without transfers: then there is no line.
  const read = new Set(rows.map(({ at_ms }) => Math.floor(at_ms / HOUR_MS) * HOUR_MS));
  const hours = Array.from({ length: Math.max(0, count) }, (_, index) => first_ms + index * HOUR_MS).filter((hour) =>
    read.has(hour),
  );
  if (hours.length < 2) return [];
  const of = (wanted: string) => rows.filter(({ from, to }) => classify(from, to) === wanted);
  return [
    {
      kind: "time",
      title: "Into and out of exchanges",
      unit: "usd",
      step_ms: HOUR_MS,
      about:
        "US dollars an hour between labelled exchanges and others, of transfers of 100,000 and more that were read.",
      lines: [
        { name: "in", points: sumByHour(of("exchange_inflow"), hours) },
        { name: "out", points: sumByHour(of("exchange_outflow"), hours) },
      ],
    },
  ];
}
