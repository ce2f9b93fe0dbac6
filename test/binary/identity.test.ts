import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyReceiptSignatureJWS } from "@x402/extensions/offer-receipt";
import { readJWS } from "../../src/trust/jws.ts";
import { BINARY, cleanUp, newFolder, payingFetch, signFor, startDemo } from "../helpers/demo-node.ts";
import { freePort } from "../helpers/run-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

afterAll(cleanUp);

type Answer = Record<string, unknown>;

const run = (...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, ...args]);
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
};
const rotate = (data: string, ...more: string[]): Answer => {
  const { code, out, err } = run("identity", "rotate", "--data", data, "--json", ...more);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};

/** A node that keeps its port: its name as a DID holds the port, and must stay the same. */
async function startAgain(data: string, port: number) {
  return startDemo({ data, args: ["--port", String(port)] });
}

describe("a rotation of the node's key", () => {
  test("costs nobody anything: receipts verify, what was bought is handed out again, coupons hold", async () => {
    const [data, port] = [newFolder(), await freePort()];
    const before = await startAgain(data, port);
    const sale = await payingFetch()(`${before.url}/fear-greed`);
    const id = sale.headers.get("X-Receipt-Id") ?? "";
    const settlement = JSON.parse(atob(sale.headers.get("PAYMENT-RESPONSE") ?? ""));
    const official = settlement.extensions["offer-receipt"].info.receipt;
    const own = ((await (await before.get(`/receipts/${id}`)).json()) as { signed: Record<string, Answer> }).signed
      .node;
    const purchase = {
      "PAYMENT-SIGNATURE": await signFor(before, "/buy-credits"),
      "Idempotency-Key": "5d3b6b1c-3f0a-4f0f-9c2e-0d6c1f0a9b11",
    };
    const bought = (await (await before.get("/buy-credits", purchase)).json()) as { api_key: string };
    noteSecret(bought.api_key);
    const { coupon } = (await (await before.get("/welcome")).json()) as { coupon: string };
    const { node_id: old_id } = (await (await before.get("/receipts")).json()) as { node_id: string };
    const live = run("identity", "rotate", "--data", data);
    expect([live.code, live.err]).toEqual([1, expect.stringContaining("Stop the node first")]);
    await before.stop();

    const rotated = rotate(data);
    expect(rotated).toMatchObject({ key_name: "node-2", retired: [{ name: "node-1", node_id: old_id }] });
    const after = await startAgain(data, port);
    const did = (await (await after.get("/.well-known/did.json")).json()) as {
      verificationMethod: Answer[];
      assertionMethod: string[];
    };
    expect(did.verificationMethod.map((method) => String(method.id).split("#")[1])).toEqual(["node-2", "node-1"]);
    expect(did.assertionMethod.map((key) => key.split("#")[1])).toEqual(["node-2"]);

    // The official verifier looks the key up at the node.
    expect(await verifyReceiptSignatureJWS(official)).toMatchObject({ transaction: settlement.transaction });
    const check = async (receipt: unknown) => {
      const init = {
        method: "POST",
        body: JSON.stringify({ receipt }),
        headers: { "content-type": "application/json" },
      };
      return (await (await fetch(`${after.url}/verify-receipt`, init)).json()) as Answer;
    };
    expect(await check(own)).toMatchObject({ valid: true, on_ledger: { agrees: true, receipt_id: id } });
    expect(await check(official)).toMatchObject({ valid: true, on_ledger: { agrees: true } });
    const renewed = ((await (await after.get(`/receipts/${id}`)).json()) as { signed: Record<string, Answer> }).signed;
    expect(readJWS(String(renewed.node?.signature))?.payload.node_id).toBe(rotated.node_id as string);
    expect(await check(renewed.node)).toMatchObject({ valid: true });

    const again = (await (await after.get("/buy-credits", purchase)).json()) as { api_key: string };
    expect(again.api_key).toBe(bought.api_key);
    expect((await after.get("/fear-greed", { "X-API-Key": bought.api_key })).status).toBe(200);
    expect((await after.get("/fear-greed", { "X-Coupon": coupon })).status).toBe(200);
    expect(await after.stop()).toBe(0);
  });

  test("after a leak takes the old key out of the node's name, and sales go on", async () => {
    const [data, port] = [newFolder(), await freePort()];
    const before = await startAgain(data, port);
    const sale = await payingFetch()(`${before.url}/fear-greed`);
    const official = JSON.parse(atob(sale.headers.get("PAYMENT-RESPONSE") ?? "")).extensions["offer-receipt"].info
      .receipt;
    const purchase = {
      "PAYMENT-SIGNATURE": await signFor(before, "/buy-credits"),
      "Idempotency-Key": "5d3b6b1c-3f0a-4f0f-9c2e-0d6c1f0a9b12",
    };
    const { api_key } = (await (await before.get("/buy-credits", purchase)).json()) as { api_key: string };
    noteSecret(api_key);
    await before.stop();
    // A key that lay beside the one that leaked is not taken.
    const prepared = JSON.parse(run("identity", "prepare", "--data", data, "--json").out);
    const rotated = rotate(data, "--compromised");
    expect(rotated.node_id).not.toBe(prepared.next.node_id);

    const after = await startAgain(data, port);
    const { verificationMethod } = (await (await after.get("/.well-known/did.json")).json()) as {
      verificationMethod: Answer[];
    };
    expect(verificationMethod).toHaveLength(1);
    await expect(verifyReceiptSignatureJWS(official)).rejects.toThrow("No verification method");
    const init = { method: "POST", body: JSON.stringify({ receipt: official }) };
    const headers = { "content-type": "application/json" };
    const told = (await (await fetch(`${after.url}/verify-receipt`, { ...init, headers })).json()) as Answer;
    expect(told).toMatchObject({ valid: false, doubt: "wrong_signature" });
    const again = (await (await after.get("/buy-credits", purchase)).json()) as Answer;
    expect(again.api_key).toBe(api_key);
    await after.stop();
  });

  test("to a prepared key takes that one, once, and leaves files that only their owner reads", async () => {
    const data = newFolder();
    expect(run("identity", "show", "--data", data)).toMatchObject({ code: 2 });
    await (await startDemo({ data })).stop();
    const shown = JSON.parse(run("identity", "show", "--data", data, "--json").out);
    expect(shown).toMatchObject({ key_name: "node-1", retired: [], next: null });
    const { next } = JSON.parse(run("identity", "prepare", "--data", data, "--json").out);
    expect(JSON.parse(run("identity", "prepare", "--data", data, "--json").out).next).toEqual(next);
    const pem = readFileSync(join(data, "node-key.pem"), "utf8").split("\n")[1] ?? "";
    expect(rotate(data)).toMatchObject({ node_id: next.node_id, public_key: next.public_key });
    expect(readdirSync(data)).not.toContain("node-key.next.pem");
    expect(statSync(join(data, "node-key.pem")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, "node-key.pem"), "utf8")).not.toContain(pem);
    expect(rotate(data)).toMatchObject({ key_name: "node-3", retired: [{ name: "node-2" }, { name: "node-1" }] });
    expect(run("identity", "show", "--data", data).out).toMatch(/^node-3 .+\nnode-2 .+retired .+\nnode-1 .+retired/);
  });

  test("that was cut off after it took effect does not take the present key for the next one", async () => {
    const data = newFolder();
    await (await startDemo({ data })).stop();
    run("identity", "prepare", "--data", data);
    const next = readFileSync(join(data, "node-key.next.pem"));
    const rotated = rotate(data);
    writeFileSync(join(data, "node-key.next.pem"), next);
    const again = rotate(data);
    expect(again).toMatchObject({ key_name: "node-3", retired: [{ node_id: rotated.node_id }, { name: "node-1" }] });
    expect(again.node_id).not.toBe(rotated.node_id);
    const node = await startDemo({ data });
    expect(((await (await node.get("/receipts")).json()) as Answer).node_id).toBe(again.node_id as string);
    await node.stop();
  });

  test("a damaged key file stops the start instead of making the node somebody else", async () => {
    const data = newFolder();
    await (await startDemo({ data })).stop();
    rotate(data);
    const file = join(data, "node-key.pem");
    const whole = readFileSync(file, "utf8");
    for (const damaged of [whole.slice(0, -10), "", whole.replace("BEGIN PRIVATE", "BEGIN")]) {
      writeFileSync(file, damaged);
      await expect(startDemo({ data })).rejects.toThrow("ended before it was ready");
      const { code, err } = run("identity", "rotate", "--data", data);
      expect([code, err]).toEqual([1, expect.stringContaining(`${file} does not hold a node's key`)]);
      expect(readFileSync(file, "utf8")).toBe(damaged);
    }
    writeFileSync(file, whole);
    await (await startDemo({ data })).stop();
  });
});
