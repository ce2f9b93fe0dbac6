import { renderTime, systemClock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { RunningNode } from "../../node/parts.ts";
import { SELF } from "../../releases/own-program.ts";
import { VERSION } from "../../releases/version.ts";
import type { Log } from "../../telemetry/log.ts";
import { EXIT } from "../exit-codes.ts";
import type { GuardedProcess } from "../guard-process.ts";
import type { PlaceGiver } from "../wait-for-stop.ts";
import { handOver, linger } from "./hand-over.ts";
import { PROGRAM_VARIABLE } from "./messages.ts";
import { readRunning, writeRunning } from "./running-file.ts";
import { getSwitchboard, hasParent } from "./successor.ts";

export interface PlaceGiverOptions {
  readonly node: RunningNode;
  readonly data_dir: string;
  readonly log: Log;
  readonly drain_ms: number;
  /** The longest time until a new program serves. */
  readonly ready_ms: number;
  readonly onHangup: GuardedProcess["onHangup"];
}

/** Signals that the first process passes on to the serving one. */
const PASSED_ON = ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const;

/** Writes for commands on this machine which process serves, and since when. */
export function noteRunning(data_dir: string, { url }: RunningNode, failed?: string): void {
  const started_at = readRunning(data_dir)?.pid === process.pid ? readRunning(data_dir)?.started_at : undefined;
  writeRunning(data_dir, {
    pid: process.pid,
    version: VERSION,
    url,
    started_at: started_at ?? renderTime(systemClock.now()),
    ...(failed === undefined ? {} : { failed }),
  });
}

/** Two command lines with the same arguments: of the program now at this path, and of the running one. */
function listPrograms(): { readonly program: readonly string[]; readonly own_program: readonly string[] } {
  const [runtime = process.execPath, ...script] = SELF;
  const kept = process.env[PROGRAM_VARIABLE] ?? runtime;
  process.env[PROGRAM_VARIABLE] = kept;
  const rest = [...script, ...process.argv.slice(2)];
  // The system finds the file of a running program even if another file now has its name.
  const own = process.platform === "linux" ? `/proc/${process.pid}/exe` : runtime;
  return { program: [kept, ...rest], own_program: [own, ...rest] };
}

/** The action of a running node on SIGUSR2; null where processes cannot share a port. */
export function createPlaceGiver(options: PlaceGiverOptions): PlaceGiver | null {
  const { node, data_dir, log, drain_ms, ready_ms, onHangup } = options;
  if (process.platform !== "linux") return null;
  const programs = listPrograms();
  return {
    async handOver() {
      log.info({ event: "handing_over", to: programs.program[0] });
      const outcome = await handOver({ node, data_dir, log, drain_ms, ready_ms, ...programs });
      if (outcome.kind === "kept") {
        log.error({ event: "handover_failed", why: outcome.why });
        noteRunning(data_dir, node, outcome.why);
        return false;
      }
      log.info({ event: "handed_over", ...outcome });
      return true;
    },
    async retire(missed) {
      if (hasParent()) {
        await linger(node);
        return EXIT.ok;
      }
      // Its messages are for the serving process.
      onHangup(() => undefined);
      const board = getSwitchboard();
      const pass = (signal: NodeJS.Signals) => board.signal(signal);
      for (const signal of PASSED_ON) process.on(signal, pass);
      for (const signal of PASSED_ON.filter((one) => missed.includes(one))) board.signal(signal);
      await Promise.race([
        linger(node).catch((error) => log.warn({ event: "linger", error: messageOf(error) })),
        board.ended,
      ]);
      Bun.gc(true);
      return await board.ended;
    },
  };
}
