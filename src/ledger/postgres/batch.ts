/** A command of a batch. */
export interface Command {
  readonly name: string;
  /** What goes in, as JSON text; a function is asked when the command leaves, for what is still added up. */
  readonly args: string | (() => string);
  /** The first row it locks: commands of a batch run in this order, so that no two batches wait in a circle. */
  readonly order: string;
  /** How it goes together with others of its kind. */
  readonly joined?: Joined | undefined;
}

/** A way to run many commands of a kind as one. They must not touch each other's rows but those of their order. */
export interface Joint<T> {
  readonly name: string;
  readonly render: (parts: readonly T[]) => string;
  /** Runs a batch of nothing else. Refused with `LB006`, the batch is to be run as commands. */
  readonly whole?: { readonly sql: string; readonly values: (parts: readonly T[]) => readonly unknown[] };
  /** @returns what each would have answered alone, in the same order. */
  readonly read: (result: unknown, parts: readonly T[]) => readonly unknown[];
}

export interface Joined {
  // biome-ignore lint/suspicious/noExplicitAny: of whatever its parts are
  readonly joint: Joint<any>;
  readonly part: unknown;
  /** Only those that agree in it go together. */
  readonly alike: unknown;
}

export interface Arranged {
  /** Renders the batch, as JSON. */
  readonly render: () => string;
  /** A statement that runs it, and what it takes after what every batch takes. */
  readonly whole: { readonly sql: string; readonly values: readonly unknown[] } | null;
  /** The answer to each command, in the order they were given. */
  readonly read: (results: readonly unknown[]) => readonly unknown[];
}

/** Beside other commands, two debits cost as much one by one as the fewest that go together (`docs/performance.md`). */
const TOGETHER_MIN = 3;

/** The balance that a command locks; "" and what begins with a space is none. */
const isBalance = (order: string): boolean => order > "!";

interface Placed {
  readonly command: Command;
  readonly at: number;
}

function sortByOrder(commands: readonly Command[]): readonly Placed[] {
  const sorted = commands.map((command, at) => ({ command, at }));
  return sorted.sort((a, b) => (a.command.order < b.command.order ? -1 : Number(a.command.order > b.command.order)));
}

/** A batch of one joint. It is one command even of a few, so that its results are the same whichever way it was run. */
function arrangeWhole(commands: readonly Command[]): Arranged | null {
  const kind = commands[0]?.joined;
  const joint = kind?.joint;
  if (joint?.whole === undefined) return null;
  if (!commands.every(({ joined }) => joined?.joint === joint && joined.alike === kind?.alike)) return null;
  const sorted = sortByOrder(commands);
  const parts = sorted.map(({ command }) => command.joined?.part);
  return {
    render: () => `[["${joint.name}",${joint.render(parts)}]]`,
    whole: { sql: joint.whole.sql, values: joint.whole.values(parts) },
    read([result]) {
      const found = joint.read(result, parts);
      const answers: unknown[] = new Array(commands.length);
      sorted.forEach(({ at }, n) => {
        answers[at] = found[n];
      });
      return answers;
    },
  };
}

/**
 * Puts a batch in order. Commands that can be joined are, unless something else is done with the same balance: what
 * happens to one balance happens in the order it was asked for.
 */
export const arrangeBatch = (commands: readonly Command[]): Arranged =>
  arrangeWhole(commands) ?? arrangeMixed(commands);

function arrangeMixed(commands: readonly Command[]): Arranged {
  const sorted = sortByOrder(commands);
  const kind = commands.find(({ joined }) => joined !== undefined)?.joined;
  const isAlike = ({ joined }: Command) => joined?.joint === kind?.joint && joined?.alike === kind?.alike;
  const alone = new Set(commands.filter((command) => !isAlike(command)).map(({ order }) => order));
  const fit = sorted.filter(({ command }) => kind !== undefined && !alone.has(command.order));
  const together = fit.length < TOGETHER_MIN ? [] : fit;
  const texts: string[] = [];
  const readers: ((result: unknown, answers: unknown[]) => void)[] = [];
  const add = (text: string, read: (result: unknown, answers: unknown[]) => void) => {
    texts.push(text);
    readers.push(read);
  };
  const addAlone = (wanted: (order: string) => boolean) => {
    for (const { command, at } of sorted) {
      if (!wanted(command.order) || (together.length > 0 && !alone.has(command.order))) continue;
      const args = typeof command.args === "string" ? command.args : command.args();
      add(`["${command.name}",${args}]`, (result, answers) => {
        answers[at] = result;
      });
    }
  };
  addAlone((order) => !isBalance(order));
  if (kind !== undefined && together.length > 0) {
    if ([...alone].some(isBalance)) {
      const balances = [...new Set(sorted.map(({ command }) => command.order))].filter(isBalance);
      add(`["balances.lock",${JSON.stringify(balances)}]`, () => undefined);
    }
    const parts = together.map(({ command }) => command.joined?.part);
    add(`["${kind.joint.name}",${kind.joint.render(parts)}]`, (result, answers) => {
      const found = kind.joint.read(result, parts);
      together.forEach(({ at }, n) => {
        answers[at] = found[n];
      });
    });
  }
  addAlone(isBalance);
  return {
    render: () => `[${texts.join(",")}]`,
    whole: null,
    read(results) {
      const answers: unknown[] = new Array(commands.length);
      readers.forEach((read, n) => {
        read(results[n], answers);
      });
      return answers;
    },
  };
}
