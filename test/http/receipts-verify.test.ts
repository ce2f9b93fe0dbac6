import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentity } from "../../src/core/identity.ts";
import { createJWSSigner, readJWS } from "../../src/trust/jws.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

type Answer = Record<string, unknown>;
interface Sale {
  readonly id: string;
  readonly header: string;
  readonly body: string;
  readonly shown: Answer & {
    readonly signed: Record<"x402" | "node", { readonly format: "jws"; readonly signature: string }>;
  };
}

let money: MoneyNode;
let sale: Sale;
let bought: Sale;
const folder = mkdtempSync(join(tmpdir(), "receipts-"));
beforeAll(async () => {
  money = await startMoneyNode();
  sale = await buy("/one?q=1");
  bought = await buy("/buy-credits");
});
afterAll(async () => {
  await money.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function buy(path: string): Promise<Sale> {
  const [payer] = PAYERS;
  if (!payer) throw new Error("nobody pays");
  const url = `${money.url}${path}`;
  const answer = await fetch(url, { headers: await payFor(url, await payer.newPayer(money.url), 2) });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(body);
  const id = answer.headers.get("X-Receipt-Id") ?? "";
  const shown = (await (await fetch(`${money.url}/receipts/${id}`)).json()) as Sale["shown"];
  return { id, header: answer.headers.get("PAYMENT-RESPONSE") ?? "", body, shown };
}

const post = (body: string, type = "application/json") =>
  fetch(`${money.url}/verify-receipt`, { method: "POST", body, headers: { "content-type": type } });
const verify = async (body: unknown): Promise<Answer> => {
  const response = await post(JSON.stringify(body));
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
};
/** Signed by the node itself, about something it never sold. */
const signAs = (identity: MoneyNode["node"]["identity"], payload: unknown): string =>
  createJWSSigner(identity, "did:web:x#node-1")(payload);
const payloadOf = (jws: string): Answer => ({ ...readJWS(jws)?.payload });

describe("POST /verify-receipt", () => {
  test("knows both signed texts, in whatever a buyer kept them", async () => {
    const { x402, node } = sale.shown.signed;
    const { extensions } = JSON.parse(atob(sale.header)) as Answer;
    const forms: [string, unknown][] = [
      ["receipt", { receipt: node.signature }],
      ["receipt", { receipt: node }],
      ["receipt", sale.shown],
      ["receipt", { receipt: sale.shown }],
      ["x402_receipt", { receipt: x402.signature }],
      ["x402_receipt", x402],
      ["x402_receipt", { receipt: sale.header }],
      ["x402_receipt", { extensions }],
    ];
    for (const [kind, body] of forms) {
      expect(await verify(body)).toMatchObject({
        valid: true,
        kind,
        signed_by_this_node: true,
        on_ledger: { known: true, agrees: true, receipt_id: sale.id },
        on_chain: "pending",
      });
    }
  });

  test("shows a receipt by its id, and none that is not there", async () => {
    expect(await verify({ id: sale.id })).toMatchObject({
      valid: true,
      payload: { receipt_id: sale.id, amount_atomic: "10000" },
      receipt: sale.shown.signed.node.signature,
    });
    expect(await verify({ id: "rcp_0" })).toMatchObject({ valid: false, on_ledger: { known: false } });
  });

  test("a changed field beside the signature is named", async () => {
    for (const [name, value] of Object.entries({ amount_atomic: "10001", id: bought.id, payer: "0x1", label: "x" })) {
      const told = await verify({ ...sale.shown, [name]: value });
      expect(told).toMatchObject({ valid: false, doubt: "fields_changed", signed_by_this_node: true });
      expect(told.reason).toContain(`"${name}"`);
    }
  });

  test("another key's signature is not this node's, whatever key id it names", async () => {
    const payload = payloadOf(sale.shown.signed.node.signature);
    const key_id = readJWS(sale.shown.signed.node.signature)?.key_id ?? "";
    const receipt = createJWSSigner(createIdentity(), key_id)(payload);
    const told = await verify({ receipt });
    expect(told).toMatchObject({ valid: false, doubt: "wrong_signature", signed_by_this_node: false });
    expect(told.on_ledger).toBeNull();
  });

  test("what the books contradict is not valid, what they do not know is", async () => {
    const { identity } = money.node;
    const payload = payloadOf(sale.shown.signed.node.signature);
    expect(await verify({ receipt: signAs(identity, { ...payload, amount_atomic: "1" }) })).toMatchObject({
      valid: false,
      doubt: "differs_from_ledger",
      signed_by_this_node: true,
      on_ledger: { known: true, agrees: false },
    });
    expect(await verify({ receipt: signAs(identity, { ...payload, receipt_id: "rcp_none" }) })).toMatchObject({
      valid: true,
      on_ledger: { known: false, agrees: null },
      on_chain: null,
    });
    // An address the node had before.
    expect(await verify({ receipt: signAs(identity, { ...payload, resource_url: "https://old" }) })).toMatchObject({
      valid: true,
      on_ledger: { agrees: true },
    });
  });

  test("what this node signed for another purpose is no receipt", async () => {
    const receipt = signAs(money.node.identity, { version: 1, badge: "bdg_1" });
    expect(await verify({ receipt })).toMatchObject({ valid: false, doubt: "unknown_statement" });
  });

  const nested = (depth: number): unknown => (depth === 0 ? "x" : { receipt: nested(depth - 1) });
  test.each([
    ["nothing", {}],
    ["another member", { recipt: "x" }],
    ["an empty text", { receipt: "" }],
    ["a number", { receipt: 7 }],
    ["null", { receipt: null }],
    ["a list", { receipt: [] }],
    ["dots", { receipt: "..." }],
    ["base64 of a list", { receipt: btoa("[]") }],
    ["base64 of itself", { receipt: btoa(JSON.stringify({ receipt: btoa("{}") })) }],
    ["a deep nest", nested(200)],
    ["a prototype", JSON.parse('{"__proto__":{"receipt":"x"},"receipt":{"__proto__":{"signature":"x"}}}')],
    ["a very long text", { receipt: "A".repeat(30_000) }],
    ["control characters", { receipt: "\u0000.\u0000.\u0000" }],
    ["an id that is no text", { id: { $ne: null } }],
  ])("hostile: %s is answered, and proves nothing", async (_, body) => {
    expect(await verify(body)).toMatchObject({ valid: false, signed_by_this_node: false, on_ledger: null });
  });

  test.each([
    ["no body", "", "application/json", 422],
    ["a list", "[]", "application/json", 422],
    ["broken JSON", "{", "application/json", 422],
    ["a form", "receipt=x", "application/x-www-form-urlencoded", 415],
    ["too much", `{"receipt":"${"A".repeat(40_000)}"}`, "application/json", 413],
  ])("hostile: %s is refused", async (_, body, type, status) => {
    expect((await post(body, type)).status).toBe(status);
  });

  test("other methods and unknown parameters are refused", async () => {
    expect((await fetch(`${money.url}/verify-receipt`)).status).toBe(405);
    const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect((await fetch(`${money.url}/verify-receipt?key=x`, init)).status).toBe(422);
  });
});

const NODE = join(import.meta.dir, "..", "..", "src", "node.ts");
const run = async (args: readonly string[], stdin = "") => {
  const child = Bun.spawn([process.execPath, NODE, "verify-receipt", ...args], {
    stdio: [new Blob([stdin]), "pipe", "pipe"],
    cwd: folder,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
};
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("intel-node verify-receipt", () => {
  const keyArgs = () => ["--key", `ed25519:${money.node.identity.public_key}`];
  const didArgs = async () => {
    const text = await (await fetch(`${money.url}/.well-known/did.json`)).text();
    return ["--did-document", save("did.json", text)];
  };

  test("proves a receipt with its answer and its request, from a file", async () => {
    const receipt = save("receipt.json", JSON.stringify(sale.shown));
    const answer = save("answer.json", sale.body);
    const told = await run([receipt, ...(await didArgs()), "--answer", answer, "--request", 'GET /one {"q":"1"}']);
    expect(told).toMatchObject({ code: 0, err: "" });
    expect(told.out).toContain(`receipt_id: ${sale.id}`);
    expect(told.out).toContain("for this answer, for this request");
  });

  test("takes the bare text, and a PAYMENT-RESPONSE header from standard input", async () => {
    const bare = await run([sale.shown.signed.x402.signature, ...keyArgs(), "--json"]);
    expect(bare.code).toBe(0);
    expect(JSON.parse(bare.out)).toMatchObject({ ok: true, kind: "x402_receipt", payload: { version: 1 } });
    expect((await run(["-", ...keyArgs()], sale.header)).code).toBe(0);
  });

  test("an answer that holds a bought key is the one that was paid for; what else it says counts", async () => {
    const receipt = bought.shown.signed.node.signature;
    const answer = save("bought.json", bought.body);
    expect(bought.body).toContain('"api_key":"ink_');
    expect((await run([receipt, ...keyArgs(), "--answer", answer])).code).toBe(0);
    const changed = save("changed.json", bought.body.replace(/"balance_atomic":"\d+"/, '"balance_atomic":"1"'));
    expect((await run([receipt, ...keyArgs(), "--answer", changed])).code).toBe(4);
  });

  test("exit code 4: another answer, another request, another key, a receipt without hashes", async () => {
    const receipt = sale.shown.signed.node.signature;
    const other = save("other.json", `${sale.body} `);
    const answer = save("answer.json", sale.body);
    const wrong = ["--key", createIdentity().public_key];
    const [by_answer, by_request, by_key, official] = await Promise.all([
      run([receipt, ...keyArgs(), "--answer", other]),
      run([receipt, ...keyArgs(), "--request", 'GET /one {"q":"2"}']),
      run([receipt, ...wrong]),
      run([sale.shown.signed.x402.signature, ...keyArgs(), "--answer", answer]),
    ]);
    expect([by_answer.code, by_request.code, by_key.code, official.code]).toEqual([4, 4, 4, 4]);
    expect(by_answer.err).toContain("NOT PROVEN: the answer");
    expect(by_request.err).toContain("NOT PROVEN: the request");
    expect(by_key.err).toContain("did not sign");
    expect(official.err).toContain("states no hashes");
  });

  test("exit code 4 when the DID document does not hold the key that signed", async () => {
    const document = await (await fetch(`${money.url}/.well-known/did.json`)).text();
    const file = save("moved.json", document.replaceAll("#node-1", "#node-2"));
    expect((await run([sale.shown.signed.node.signature, "--did-document", file])).code).toBe(4);
  });

  test("exit code 2 for a faulty command line", async () => {
    const receipt = sale.shown.signed.node.signature;
    const bad_document = save("bad.json", '{"verificationMethod":[{"id":"x"}]}');
    const runs = await Promise.all([
      run([receipt]),
      run([receipt, ...keyArgs(), ...(await didArgs())]),
      run([receipt, "--key", "short"]),
      run([receipt, "--did-document", bad_document]),
      run(["nothing-here.json", ...keyArgs()]),
      run([receipt, ...keyArgs(), "--answer", "nothing-here.json"]),
      run([receipt, ...keyArgs(), "--request", "/one"]),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    for (const { err } of runs) expect(err).not.toBe("");
  });
});
