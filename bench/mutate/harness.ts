/**
 * What test files of a changed tree import for "bun:test": tests are collected, and run one by one, as often as there
 * are changes to try, in one process. Everything but the order of things is Bun's own.
 */
export { expect, jest, mock, setSystemTime, spyOn, vi } from "bun:test";

type Run = (...given: never[]) => unknown;
type Hook = () => unknown;

interface Scope {
  readonly outer: Scope | null;
  readonly before_all: Hook[];
  readonly after_all: Hook[];
  readonly before_each: Hook[];
  readonly after_each: Hook[];
}

export interface CollectedTest {
  readonly title: string;
  readonly scope: Scope;
  readonly run: Hook;
}

const createScope = (outer: Scope | null): Scope => ({
  outer,
  before_all: [],
  after_all: [],
  before_each: [],
  after_each: [],
});

let current = createScope(null);
let collected: CollectedTest[] = [];

/** The tests of a file that is loaded by `load`. */
export async function collectTests(load: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  current = createScope(null);
  collected = [];
  await load();
  return collected;
}

const titleOf = (title: string, given: readonly unknown[]): string =>
  `${title} ${given.map((one) => (typeof one === "object" || typeof one === "function" ? "…" : String(one))).join()}`;

interface Declare {
  (title: string, run: Run): void;
  each(rows: readonly unknown[]): (title: string, run: Run) => void;
  skipIf(is_skipped: boolean): Declare;
  if(is_run: boolean): Declare;
  readonly skip: Declare;
  readonly todo: Declare;
}

/** `test` and `describe` differ in what they do with a title and a function. */
function createDeclare(declare: (title: string, run: Hook) => void): Declare {
  const nothing = (): void => undefined;
  const build = (act: (title: string, run: Hook) => void): Declare => {
    const each = (rows: readonly unknown[]) => (title: string, run: Run) => {
      for (const row of rows) {
        const given = Array.isArray(row) ? row : [row];
        act(titleOf(title, given), () => Reflect.apply(run, undefined, given));
      }
    };
    const skipIf = (is_skipped: boolean): Declare => build(is_skipped ? nothing : act);
    const skipped = act === nothing ? undefined : build(nothing);
    const own = (title: string, run: Run): void => act(title, () => Reflect.apply(run, undefined, []));
    const parts = { each, skipIf, if: (is_run: boolean) => skipIf(!is_run) };
    const declared = Object.assign(own, parts) as unknown as Declare;
    return Object.assign(declared, { skip: skipped ?? declared, todo: skipped ?? declared });
  };
  return build(declare);
}

export const test = createDeclare((title, run) => {
  collected.push({ title, scope: current, run });
});

export const describe = createDeclare((_, run) => {
  const outer = current;
  current = createScope(outer);
  run();
  current = outer;
});

export const beforeAll = (hook: Hook): void => void current.before_all.push(hook);
export const afterAll = (hook: Hook): void => void current.after_all.unshift(hook);
export const beforeEach = (hook: Hook): void => void current.before_each.push(hook);
export const afterEach = (hook: Hook): void => void current.after_each.unshift(hook);
/** Every test has the limit of its run. */
export const setDefaultTimeout = (): void => undefined;

/** Outermost first. */
const chainOf = (scope: Scope | null): readonly Scope[] => (scope ? [...chainOf(scope.outer), scope] : []);

async function runHooks(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook();
}

export interface TestRunner {
  /** @throws what the test or its hooks throw. */
  run(one: CollectedTest): Promise<void>;
  /** What is done once for all of them. */
  end(): Promise<void>;
}

/** Runs tests of one file in their order, those that are left out having no part in it. */
export function createTestRunner(): TestRunner {
  const open: Scope[] = [];
  const leaveUntil = async (kept: readonly Scope[]): Promise<void> => {
    while (open.length > 0 && !kept.includes(open.at(-1) as Scope)) await runHooks(open.pop()?.after_all ?? []);
  };
  return {
    async run({ scope, run }) {
      const chain = chainOf(scope);
      await leaveUntil(chain);
      for (const one of chain) {
        if (open.includes(one)) continue;
        open.push(one);
        await runHooks(one.before_all);
      }
      try {
        for (const { before_each } of chain) await runHooks(before_each);
        await run();
      } finally {
        for (const { after_each } of chain.toReversed()) await runHooks(after_each);
      }
    },
    end: () => leaveUntil([]),
  };
}
