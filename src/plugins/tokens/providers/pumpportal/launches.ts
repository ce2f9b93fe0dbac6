import { type Static, Type } from "@sinclair/typebox";
import type { Drained, JobContext } from "intel-node";
import { pumpportal } from "./provider.ts";

const Mint = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const Num = Type.Number({ minimum: 0 });

const Message = Type.Union([
  Type.Object({
    txType: Type.Literal("create"),
    mint: Mint,
    traderPublicKey: Mint,
    initialBuy: Num,
    vTokensInBondingCurve: Num,
    vSolInBondingCurve: Num,
    name: Type.String(),
    symbol: Type.String(),
    pool: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  Type.Object({ txType: Type.Literal("migrate"), mint: Mint, pool: Type.Optional(Type.String({ maxLength: 60 })) }),
  // What it says to a subscription.
  Type.Object({ message: Type.String() }),
]);

export type PumpEvent = Exclude<Static<typeof Message>, { message: string }>;

/** Launches and migrations since the job asked last, whole tokens and SOL. @throws UpstreamError */
export const drainPumpEvents = (context: Pick<JobContext, "drain">): Drained<PumpEvent> =>
  context.drain(pumpportal, {
    path: "/data",
    hello: [{ method: "subscribeNewToken" }, { method: "subscribeMigration" }],
    schema: Message,
    read: (message) => ("txType" in message ? message : null),
    silence_ms: 180_000,
    buffer_max: 5_000,
  });
