import { addDays, createCalendar, findExchange, type ISODate, type SimulatedWorld, toInstant } from "intel-node";

const ZONE = "America/Sao_Paulo";
const exchange = findExchange("BVMF");
if (!exchange) throw new Error("B3 has no calendar");
const calendar = createCalendar(exchange);

export const isTradingDay = (date: ISODate): boolean => calendar.isTradingDay(date);
export const previousTradingDay = (date: ISODate): ISODate => calendar.previousTradingDay(date) ?? addDays(date, -1);

/** Days since 1970. */
const dayNumber = (date: ISODate): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** A smooth movement of about +-1 with its own rhythm, and a little noise of the day. */
export function readMove(world: SimulatedWorld, key: string, date: ISODate): number {
  const day = dayNumber(date);
  const [phase, period] = [world.noise(`${key}:phase`) * 2 * Math.PI, 150 + 200 * world.noise(`${key}:period`)];
  const slow = Math.sin((2 * Math.PI * day) / period + phase);
  return 0.8 * slow + 0.2 * (2 * world.noise(`${key}:${date}`) - 1);
}

/** Whether what B3 publishes on a day at that local time is there already. */
export const isPublished = (world: SimulatedWorld, date: ISODate, time: string): boolean =>
  world.now() >= toInstant(ZONE, date, time);

export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};

/** As Brazil writes it: comma before the decimals. */
export const toComma = (value: number, decimals: number): string => value.toFixed(decimals).replace(".", ",");
