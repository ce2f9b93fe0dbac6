import type { Mutant } from "./mutants.ts";

/** The name the switch has in a changed file. */
const SWITCH = "$mutant";

interface Piece {
  readonly from: number;
  readonly until: number;
  readonly mutants: Mutant[];
  readonly inner: Piece[];
}

/** A file's mutants as a tree of the pieces of text they change. */
function nest(mutants: readonly Mutant[], length: number): Piece {
  const root: Piece = { from: 0, until: length, mutants: [], inner: [] };
  const open = [root];
  for (const mutant of mutants.toSorted((a, b) => a.from - b.from || b.until - a.until)) {
    while ((open.at(-1)?.until ?? length) < mutant.until) open.pop();
    const around = open.at(-1) ?? root;
    if (around !== root && around.from === mutant.from && around.until === mutant.until) {
      around.mutants.push(mutant);
      continue;
    }
    const piece: Piece = { from: mutant.from, until: mutant.until, mutants: [mutant], inner: [] };
    around.inner.push(piece);
    open.push(piece);
  }
  return root;
}

/** The file with every change in it, each behind its switch; lines stay where they are. */
export function instrument(text: string, mutants: readonly Mutant[], switch_file: string): string {
  const render = ({ from, until, mutants: own, inner }: Piece): string => {
    let body = "";
    let at = from;
    for (const piece of inner) {
      body += text.slice(at, piece.from) + render(piece);
      at = piece.until;
    }
    body += text.slice(at, until);
    for (const { id, text: changed, is_statement } of own) {
      body = is_statement ? `if (!${SWITCH}(${id})) { ${body} }` : `(${SWITCH}(${id}) ? ${changed} : ${body})`;
    }
    return body;
  };
  const header = `import { isOn as ${SWITCH} } from ${JSON.stringify(switch_file)}; `;
  return header + render(nest(mutants, text.length));
}
