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
    pool: Type.Optional(Type.String()),
  }),
  Type.Object({ txType: Type.Literal("migrate"), mint: Mint, pool: Type.Optional(Type.String()) }),
  // Coins of another launchpad, which have a pool and no curve.
  Type.Object({ txType: Type.Literal("create"), mint: Mint, solInPool: Num }),
  // About one in twenty comes without a name: nothing was bought, and its mint can be the coin it is paid in.
  Type.Object({ txType: Type.Literal("create"), mint: Mint, initialBuy: Type.Literal(0), solAmount: Type.Literal(0) }),
  // What it says to a subscription.
  Type.Object({ message: Type.String() }),
]);

type Told = Static<typeof Message>;
export type PumpEvent = Extract<Told, { txType: "migrate" } | { vSolInBondingCurve: number }>;

const isEvent = (message: Told): message is PumpEvent =>
  "txType" in message && (message.txType === "migrate" || ("name" in message && "vSolInBondingCurve" in message));

/** Launches and migrations since the job asked last, whole tokens and SOL. @throws UpstreamError */
export const drainPumpEvents = (context: Pick<JobContext, "drain">): Drained<PumpEvent> =>
  context.drain(pumpportal, {
    path: "/data",
    hello: [{ method: "subscribeNewToken" }, { method: "subscribeMigration" }],
    schema: Message,
    read: (message) => (isEvent(message) ? message : null),
    silence_ms: 180_000,
    buffer_max: 5_000,
  });
