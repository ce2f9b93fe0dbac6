import { posix } from "node:path";
import { type FileMap, scanImports } from "./source-files.ts";

const isSource = (path: string): boolean => path.endsWith(".ts") && !path.endsWith(".test.ts");

/**
 * Groups of files that reach each other by imports, imports of types included. Tarjan's strongly connected components
 * (SIAM J. Comput. 1972), with a stack of its own, because a long chain of imports must not exhaust the engine's.
 */
export function findImportCircles(files: FileMap): readonly (readonly string[])[] {
  const sources = [...files].filter(([path]) => isSource(path));
  const targets = new Map(
    sources.map(([path, text]) => {
      const own = scanImports(path, text).filter(({ from }) => from.startsWith("."));
      const paths = own.map(({ from }) => posix.join(posix.dirname(path), from));
      return [path, paths.filter((target) => files.has(target))] as const;
    }),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string) => {
    order.set(path, order.size);
    lowest.set(path, order.get(path) ?? 0);
    open.push(path);
  };
  const close = (path: string) => {
    if (lowest.get(path) !== order.get(path)) return;
    const members = open.splice(open.indexOf(path));
    if (members.length > 1 || targets.get(path)?.includes(path)) circles.push(members.sort());
  };
  for (const [start] of sources) {
    if (order.has(start)) continue;
    const walk = [{ path: start, next: 0 }];
    visit(start);
    for (let step = walk.at(-1); step !== undefined; step = walk.at(-1)) {
      const target = targets.get(step.path)?.[step.next];
      step.next += 1;
      if (target === undefined) {
        walk.pop();
        close(step.path);
        const parent = walk.at(-1)?.path;
        if (parent !== undefined) lower(lowest, parent, lowest.get(step.path));
      } else if (!order.has(target)) {
        visit(target);
        walk.push({ path: target, next: 0 });
      } else if (open.includes(target)) lower(lowest, step.path, order.get(target));
    }
  }
  return circles;
}

const lower = (lowest: Map<string, number>, path: string, value: number | undefined): void => {
  lowest.set(path, Math.min(lowest.get(path) ?? Number.POSITIVE_INFINITY, value ?? Number.POSITIVE_INFINITY));
};

/** The rooms of src, the folders right below it, as files of a map of their own that import each other. */
export function toRooms(files: FileMap): FileMap {
  const rooms = new Map<string, string>();
  for (const [path, text] of files) {
    const room = roomOf(path);
    if (room === null || !isSource(path)) continue;
    const own = scanImports(path, text).filter(({ from }) => from.startsWith("."));
    const others = own.map(({ from }) => roomOf(posix.join(posix.dirname(path), from)));
    const lines = others
      .filter((other) => other !== null && other !== room)
      .map((other) => `import "./${other}.ts";\n`);
    rooms.set(`${room}.ts`, (rooms.get(`${room}.ts`) ?? "") + lines.join(""));
  }
  return rooms;
}

/** Null for a file that is in no room, such as the entry of the program. */
const roomOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
