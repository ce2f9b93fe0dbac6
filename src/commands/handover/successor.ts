import { sleep, systemTimers } from "../../core/clock.ts";
import {
  HANDOVER_VARIABLE,
  isSuccessor,
  type ParentWord,
  type PredecessorWord,
  type SuccessorWord,
} from "./messages.ts";

/** The kernel ends a killed process at once, unless a disk holds it. */
const KILL_MS_MAX = 10_000;

/** A process that is to take over, as the one before it sees it. */
export interface Successor {
  /** @throws Error when it ends, or does not say so in time. */
  hear<K extends "prepared" | "serving">(kind: K, within_ms: number): Promise<Extract<SuccessorWord, { kind: K }>>;
  tell(word: PredecessorWord): void;
  /** Resolves when it is gone, or when that is not known in time. */
  kill(): Promise<void>;
  /** It serves: the node is it from now on. */
  succeed(): void;
}

/** The words of one process, kept until somebody asks for them. */
function createInbox() {
  const words: SuccessorWord[] = [];
  let wake = Promise.withResolvers<void>();
  /** The first word of a kind, or null when there is none in time. */
  async function find(isWanted: (word: SuccessorWord) => boolean, within_ms: number): Promise<SuccessorWord | null> {
    const done = new AbortController();
    const limit = sleep(systemTimers, within_ms, done.signal).then(
      () => "late" as const,
      () => "late" as const,
    );
    try {
      for (;;) {
        const found = words.find(isWanted);
        if (found) return found;
        if ((await Promise.race([wake.promise, limit])) === "late") return null;
      }
    } finally {
      done.abort();
    }
  }
  return {
    add(word: SuccessorWord): void {
      words.push(word);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    async hear<K extends "prepared" | "serving">(kind: K, within_ms: number) {
      const found = await find((word) => word.kind === kind || word.kind === "exited", within_ms);
      if (found === null) throw new Error(`it was not ${kind} within ${within_ms / 1000} s`);
      if (found.kind === "exited") throw new Error(`it ended with exit code ${found.code}`);
      return found as Extract<SuccessorWord, { kind: K }>;
    },
    async waitForEnd() {
      await find((word) => word.kind === "exited", KILL_MS_MAX);
    },
  };
}

/** Runs a program that is to take over. */
function spawn(program: readonly string[], hear: (word: SuccessorWord) => void) {
  return Bun.spawn([...program], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, [HANDOVER_VARIABLE]: "1" },
    serialization: "json",
    ipc: (word) => hear(word as SuccessorWord),
    onExit: (_, code) => hear({ kind: "exited", code }),
  });
}

type Child = ReturnType<typeof spawn>;

/** The process that was started first, after it gave its place away: starts others, and ends with the newest. */
export interface Switchboard {
  /** Starts a process in the name of this one. */
  start(program: readonly string[]): Successor;
  /** Resolves when the process that serves has ended. */
  readonly ended: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

function createSwitchboard(): Switchboard {
  const ended = Promise.withResolvers<number>();
  let serving: Child | null = null;

  const open = (program: readonly string[], onWord: (word: SuccessorWord) => void): Child => {
    // A process that is to take over from this child, started in its name.
    let next: Child | null = null;
    const child = spawn(program, (word) => {
      if (word.kind === "exited" && child === serving) ended.resolve(word.code ?? 1);
      const asked = word as unknown as ParentWord;
      if (asked.kind === "spawn") next = open(asked.program, (said) => sayTo(child, said));
      else if (asked.kind === "tell") next?.send(asked.word);
      else if (asked.kind === "kill") next?.kill("SIGKILL");
      else if (asked.kind === "succeeded") serving = next;
      else onWord(word);
    });
    return child;
  };
  return {
    ended: ended.promise,
    signal: (name) => serving?.kill(name),
    start(program) {
      const inbox = createInbox();
      const child = open(program, inbox.add);
      return {
        hear: inbox.hear,
        tell: (word) => child.send(word),
        async kill() {
          child.kill("SIGKILL");
          await child.exited;
        },
        succeed() {
          serving = child;
        },
      };
    },
  };
}

/** A process that has ended hears nothing. */
function sayTo(child: Child, word: SuccessorWord): void {
  if (child.exitCode === null) child.send(word);
}

let switchboard: Switchboard | null = null;
/** Of the process that was started first; made when it is first needed. */
export const getSwitchboard = (): Switchboard => {
  switchboard ??= createSwitchboard();
  return switchboard;
};

/** Whether the process that started this one still hears it. */
export const hasParent = (): boolean => isSuccessor() && process.connected === true;

/** Starts a process that is to take over: by the one that was started first, so that it outlives this one. */
export function startSuccessor(program: readonly string[]): Successor {
  // Without the process that started it, this one is the first.
  if (!hasParent()) return getSwitchboard().start(program);
  const inbox = createInbox();
  const listen = (word: unknown) => inbox.add(word as SuccessorWord);
  const say = (word: ParentWord) => void process.send?.(word);
  process.on("message", listen);
  say({ kind: "spawn", program });
  return {
    hear: inbox.hear,
    tell: (word) => say({ kind: "tell", word }),
    async kill() {
      say({ kind: "kill" });
      await inbox.waitForEnd();
      process.off("message", listen);
    },
    succeed() {
      process.off("message", listen);
      say({ kind: "succeeded" });
    },
  };
}
