import { afterAll, describe, expect, test } from "bun:test";
import { auditOf } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newPayer, signFor, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import {
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const PATH = "/pyth-price";
const NETWORK = "eip155:84532";
const DEAD_S = 600;

const [facilitator, upstream] = [startFacilitator(), startUpstream()];
afterAll(async () => {
  await stopRuns();
  await Promise.all([facilitator.stop(), upstream.stop()]);
  await cleanUp();
});

interface Live {
  readonly network: string;
  readonly landing: string;
  readonly settled: number;
  readonly confirmed: number;
  readonly pending: number;
  readonly missing: number;
  readonly never_landed: number | null;
}
const readLive = async (url: string): Promise<Live | undefined> =>
  ((await (await fetch(`${url}/live`)).json()) as { networks: Live[] }).networks.find((one) => one.network === NETWORK);
const buy = async (node: DemoNode) => node.get(PATH, { "PAYMENT-SIGNATURE": await signFor(node, PATH) });

describe("settlements that a facilitator only says it made", () => {
  test("are found missing by the node itself, though it was killed in between; honest ones are confirmed", async () => {
    const node = await startDemo({ domains: ["crypto-market"] });
    await node.control("/facilitator", { settle: "lie" });
    expect((await buy(node)).status).toBe(200);
    await node.kill();

    const restarted = await startDemo({ data: node.data, domains: ["crypto-market"] });
    expect(await readLive(restarted.url)).toMatchObject({ landing: "checked", settled: 1, pending: 1 });
    expect((await buy(restarted)).status).toBe(200);
    await until(async () => (await readLive(restarted.url))?.confirmed === 1, "the honest one");
    expect(await readLive(restarted.url)).toMatchObject({ settled: 2, pending: 1, missing: 0, never_landed: 0 });

    await restarted.control("/clock", { advance_s: DEAD_S });
    await until(async () => (await readLive(restarted.url))?.missing === 1, "the missing one");
    expect(await readLive(restarted.url)).toMatchObject({ settled: 2, confirmed: 1, pending: 0, never_landed: 0.5 });
    // The operator is told, once.
    expect(restarted.log().split('"never_landed"').length - 1).toBe(1);
    const headers = { authorization: `Bearer ${restarted.operator_token}` };
    const status = (await (await restarted.get("/admin/status", headers)).json()) as { never_landed: unknown[] };
    expect(status.never_landed).toMatchObject([{ network: NETWORK, amount_atomic: expect.any(String) }]);
    expect(auditOf(restarted)).toMatchObject({ code: 0, report: { receipts: 2, findings: [] } });
  });
});

test("without an endpoint of the chain, settlements stay pending, and /live says why", async () => {
  const where = newNodeFolder([`url = "${facilitator.url}"`], "", localPlugin(upstream.url));
  const node = await startRun(where);
  const url = `${node.url()}/local`;
  await until(async () => (await fetch(url)).status === 402, "an offer");
  const header = await createPaymentPayload(await fetch(url), newPayer());
  expect((await fetch(url, { headers: { "PAYMENT-SIGNATURE": header } })).status).toBe(200);
  await until(async () => (await readLive(node.url()))?.settled === 1, "the sale in /live");
  expect(await readLive(node.url())).toMatchObject({ landing: "no rpc", pending: 1, never_landed: null });
  expect(node.err()).toContain("settlements_not_checked");
});

test("a node that has to see every settlement does not start without an endpoint of the chain", async () => {
  const where = newNodeFolder([`url = "${facilitator.url}"`]);
  const node = await startRun({ ...where, config: await withAlways(where.config) });
  expect(await node.exited()).not.toBe(0);
  expect(node.err()).toContain("[chains.base_sepolia] rpc");
});

async function withAlways(config: string): Promise<string> {
  const text = await Bun.file(config).text();
  await Bun.write(config, text.replace("[payments]", "[payments]\nconfirm_always = true"));
  return config;
}
