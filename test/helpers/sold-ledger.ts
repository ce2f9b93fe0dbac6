import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { PRODUCTS } from "./catalog-world.ts";
import { type DemoNode, newFolder, startDemo, waitForPast } from "./demo-node.ts";
import { until } from "./hang-limit.ts";
import { listHeaviestCalls, type Params } from "./heaviest.ts";
import { createCall } from "./product-node.ts";
import { noteSecret } from "./secrets.ts";

export interface SoldLedger {
  /** Data folder of the node, which is stopped. */
  readonly data: string;
  readonly sales: number;
  /** Answers that were kept, each with its inputs: those of products that others asked for, too. */
  readonly kept: number;
  /** Examples that were not sold, and why. */
  readonly refused: readonly string[];
}

/** Longer than any answer is kept for the next buyer, and no part of an hour: closes, ages and rests differ. */
export const STEP_S = 330;
const AT_ONCE = 4;
/** A machine that others load may be too late once, not each time. */
const TRIES = 3;
/** Nothing of it ends meanwhile. */
const CONFIG = '[proof.inputs]\nkeep = "60d"\nmax_mb = 100000\n';

async function issueKey(node: DemoNode): Promise<string> {
  const headers = { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" };
  const body = JSON.stringify({ command: "issue", credit_usd: "100000" });
  const issued = await fetch(`${node.url}/admin/keys`, { method: "POST", headers, body });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  noteSecret(api_key);
  return api_key;
}

async function countInputs(node: DemoNode, name: "kept" | "lost"): Promise<number> {
  const page = await node.get("/metrics", { authorization: `Bearer ${node.operator_token}` });
  const line = new RegExp(`^intel_node_inputs_${name}_total (\\d+)$`, "m").exec(await page.text());
  return Number(line?.[1] ?? 0);
}

/** They are written within 100 ms of a sale: nothing is added any more between two looks. */
async function waitForKept(node: DemoNode): Promise<number> {
  let kept = -1;
  const isStill = async (): Promise<boolean> => {
    const before = kept;
    kept = await countInputs(node, "kept");
    return kept === before;
  };
  await until(isStill, "what was sold to be kept", 1_000);
  if ((await countInputs(node, "lost")) > 0) throw new Error(`inputs were lost: ${node.log().slice(-2_000)}`);
  return kept;
}

/** Sells by a key; null when it was sold, else what was said instead. */
const createSale =
  (node: DemoNode, api_key: string) =>
  async ({ definition }: CatalogProduct, params: Params): Promise<string | null> => {
    let said = "";
    for (let tries = 0; tries < TRIES; tries += 1) {
      const call = createCall(node.url, definition, params);
      call.headers.set("X-API-Key", api_key);
      const answer = await fetch(call);
      said = `${definition.path} ${answer.status} ${(await answer.text()).slice(0, 300)}`;
      if (answer.status === 200) return null;
      if (answer.status < 500) break;
    }
    return said;
  };

export interface SaleMoments {
  readonly count: number;
  /** Seconds of the sandbox's clock before the first: parts of one run stand at other seconds of the step. */
  readonly offset_s: number;
}

/** A sandbox's ledger in which every product was sold at so many moments: its example, and another of its calls. */
export async function sellAtMoments({ count: moments, offset_s }: SaleMoments): Promise<SoldLedger> {
  const data = newFolder();
  const file = join(data, "sold.toml");
  writeFileSync(file, CONFIG);
  const node = await startDemo({ data, history: true, args: ["--config", file] });
  await waitForPast(node);
  await node.control("/limits", { enabled: false });
  const sell = createSale(node, await issueKey(node));
  const calls = PRODUCTS.map((product) => ({ product, asked: listHeaviestCalls(product).map(({ asked }) => asked) }));
  const refused: string[] = [];
  let sales = 0;
  for (let moment = 0; moment < moments; moment += 1) {
    // The jobs of the start are over once the clock has been moved at all.
    await node.control("/clock", { advance_s: moment === 0 ? 1 + offset_s : STEP_S });
    const left = [...calls];
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { product, asked } = next;
        const example = await sell(product, asked[0] ?? {});
        if (example === null) sales += 1;
        else refused.push(example);
        // Some of them are not sold here, or too much at once for one call.
        const other = asked[1 + (moment % Math.max(1, asked.length - 1))];
        if (other && (await sell(product, other)) === null) sales += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (process.env.TEST_LONG) process.stderr.write(`${moment + 1} of ${moments} moments, ${sales} sold\n`);
  }
  const kept = await waitForKept(node);
  await node.stop();
  return { data, sales, kept, refused };
}
