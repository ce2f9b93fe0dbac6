import type { DecidedCommand } from "./decided-command.ts";

/** A command of a batch. */
export interface Command {
  readonly name: string;
  /** What goes in, as JSON text; a function is asked when the command leaves, for what is still added up. */
  readonly args: string | (() => string);
  /** The first row it locks: commands of a batch run in this order, so that no two batches wait in a circle. */
  readonly order: string;
  /** Null: the database runs it, by its name. */
  readonly decided: DecidedCommand | null;
}

export interface Arranged {
  /** Renders the batch, as JSON. */
  readonly render: () => string;
  /** The answer to each command, in the order they were given. */
  readonly read: (results: readonly unknown[]) => readonly unknown[];
}

/** Answered when all that was asked before it is done; goes with any other command. */
export const FLUSH = "books.flush";

/** Puts commands that the database runs in order. */
export function arrangeBatch(commands: readonly Command[]): Arranged {
  const sorted = commands.map((command, at) => ({ command, at }));
  sorted.sort((a, b) => (a.command.order < b.command.order ? -1 : Number(a.command.order > b.command.order)));
  return {
    render() {
      const texts = sorted.map(
        ({ command: { name, args } }) => `["${name}",${typeof args === "string" ? args : args()}]`,
      );
      return `[${texts.join(",")}]`;
    },
    read(results) {
      const answers: unknown[] = new Array(commands.length);
      sorted.forEach(({ at }, n) => {
        answers[at] = results[n];
      });
      return answers;
    },
  };
}

/**
 * The next batch: commands that are decided here, or that the database runs. A command waits for earlier ones that are
 * left for a later batch when both have the same order, or one of them has no order.
 */
export function takeBatch<C extends Command>(
  queue: readonly C[],
  count_max: number,
): { readonly taken: readonly C[]; readonly left: readonly C[] } {
  const is_decided = queue.find(({ name }) => name !== FLUSH)?.decided != null;
  const taken: C[] = [];
  const left: C[] = [];
  const orders_left = new Set<string>();
  const mayPass = ({ order }: C) =>
    left.length === 0 || !(order === "" || orders_left.has("") || orders_left.has(order));
  for (const command of queue) {
    const fits = command.name === FLUSH || (command.decided !== null) === is_decided;
    if (fits && taken.length < count_max && mayPass(command)) {
      taken.push(command);
    } else {
      left.push(command);
      orders_left.add(command.order);
    }
  }
  return { taken, left };
}
