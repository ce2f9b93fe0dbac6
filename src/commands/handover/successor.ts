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

/** A process that is to take over, as its predecessor sees it. */
export interface Successor {
  /** @throws Error when the process ends, or does not report in time. */
  hear<K extends "prepared" | "serving">(kind: K, within_ms: number): Promise<Extract<SuccessorWord, { kind: K }>>;
  tell(word: PredecessorWord): void;
  /** Resolves when the process has ended, or after a limit. */
  kill(): Promise<void>;
  /** Marks the process as serving: from now on it is the node. */
  succeed(): void;
}

/** The messages of one process, kept until they are read. */
function createInbox() {
  const words: SuccessorWord[] = [];
  let wake = Promise.withResolvers<void>();
  /** The first message of a kind, or null if none comes in time. */
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

/** The first process after its hand-over: it starts others, and ends together with the newest. */
export interface Switchboard {
  /** Starts a process on behalf of this one. */
  start(program: readonly string[]): Successor;
  /** Resolves when the serving process has ended. */
  readonly ended: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

function createSwitchboard(): Switchboard {
  const ended = Promise.withResolvers<number>();
  let serving: Child | null = null;

  const open = (program: readonly string[], onWord: (word: SuccessorWord) => void): Child => {
    // A process that is to take over from this child, started on its behalf.
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

/** Sends a message; a process that has ended cannot receive one. */
function sayTo(child: Child, word: SuccessorWord): void {
  if (child.exitCode === null) child.send(word);
}

let switchboard: Switchboard | null = null;
/** Used in the first process only; made when it is first needed. */
export const getSwitchboard = (): Switchboard => {
  switchboard ??= createSwitchboard();
  return switchboard;
};

/** Whether this process's parent can still receive its messages. */
export const hasParent = (): boolean => isSuccessor() && process.connected === true;

/** Starts a process that is to take over, through the first process, so that it outlives this one. */
export function startSuccessor(program: readonly string[]): Successor {
  // A process without a parent of this node is the first one.
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
