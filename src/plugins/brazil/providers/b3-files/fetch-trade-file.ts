import { Type } from "@sinclair/typebox";
import { type ISODate, type JobContext, UpstreamError } from "intel-node";
import type { Day } from "../../b3/contracts.ts";
import { b3Files } from "./provider.ts";
import { readTradeFile, type TradeFile } from "./read-trade-file.ts";

const Ticket = Type.Object({ redirectUrl: Type.String(), token: Type.String({ pattern: "^[\\w./+=-]{8,4000}$" }) });

/** Asks for a file of a day; null without one: not a trading day, or not published yet. */
async function requestFile(context: JobContext, name: string, date: ISODate): Promise<string | null> {
  try {
    const { token } = await context.get(b3Files, {
      path: `/api/download/requestname?fileName=${name}&date=${date}&recaptchaToken=`,
      schema: Ticket,
      errors: [{ status: 400, schema: Type.Any(), means: "not_found" }],
      ttl_ms: 0,
    });
    return token;
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === "upstream_not_found") return null;
    throw error;
  }
}

/**
 * Trades and settlements of a day, once they are final; null when B3 has no file of that day.
 * @throws UpstreamError when it is unavailable, or refused: preliminary, cut off, of another day.
 */
export async function fetchTradeFile(context: JobContext, day: Day): Promise<TradeFile | null> {
  const token = await requestFile(context, "TradeInformationConsolidatedFile", day.date);
  if (token === null) return null;
  return context.get(b3Files, {
    path: `/api/download/?token=${encodeURIComponent(token)}`,
    format: "text",
    schema: Type.String({ minLength: 1 }),
    ttl_ms: 0,
    read: (text) => readTradeFile(text, day),
  });
}
