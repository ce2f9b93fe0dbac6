import { appendFileSync } from "node:fs";
import { systemTimers } from "../../src/core/clock.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import { openInputsStore } from "../../src/stores/inputs-store.ts";
import { PRODUCTS } from "./catalog-world.ts";
import { createStillClock } from "./still-clock.ts";

/**
 * Sells without end, for tests that kill it: `bun test/helpers/inputs-writer.ts FILE SEEN`. As a seal does, it looks
 * for what is durable of each answer, and writes down what it was told.
 */
const [, , file = "", seen = ""] = process.argv;
const clock = createStillClock();
const store = openInputsStore({
  file,
  keep_ms: 86_400_000,
  bytes_max: 100_000_000,
  clock,
  timers: systemTimers,
  maker: { node_id: "node", sandbox: true, version: "1.2.3" },
  log: () => undefined,
});
const product = PRODUCTS.find(({ path }) => path === "/mempool");
if (!product) throw new Error("no product");
const open: string[] = [];
for (let n = 0; ; n += 1) {
  const body = `answer ${process.pid} ${n}`;
  const inputs = { rows: Array.from({ length: 50 }, (_, at) => `${body} ${at}`) };
  const written = await store.write(product, inputs, async (piece) => piece());
  if (written === null) throw new Error("it is plain");
  const origin = { params: {}, now_ms: clock.now(), sources: [], row_warnings: [], inputs_sha256: written.sha256 };
  store.note({ product, origin, view: null, body, inputs: written.text });
  open.push(sha256Hex(body));
  if (n % 20 > 0) continue;
  await Bun.sleep(1);
  for (const hash of open.splice(0)) {
    const found = store.identify(hash);
    if (found === null) open.push(hash);
    else appendFileSync(seen, `${hash} ${found.inputs_sha256}\n`);
  }
}
