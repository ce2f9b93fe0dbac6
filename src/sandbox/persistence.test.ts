import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStillClock, START_MS } from "../../test/helpers/still-clock.ts";
import { createSandbox, type Sandbox } from "./index.ts";
import { createJournal } from "./journal.ts";
import { createTestPayer, signTestTransfer } from "./test-payer.ts";

const folder = mkdtempSync(join(tmpdir(), "intel-node-sandbox-"));
const STILL_CLOCK = join(import.meta.dir, "../../test/helpers/still-clock.ts");
const running: Sandbox[] = [];
afterAll(async () => {
  await Promise.all(running.map((sandbox) => sandbox.stop()));
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
const newFile = () => join(folder, `chain-${files++}.jsonl`);

/** No sandbox is ever stopped: each later start finds the file as a killed process leaves it. */
async function start(persist_file: string) {
  const clock = createStillClock();
  const sandbox = await createSandbox({ seed: "s", clock, simulators: [], persist_file });
  running.push(sandbox);
  const control = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
  return { clock, sandbox, control };
}

const NETWORK = "eip155:84532";
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const payer = await createTestPayer("persistence");

async function settle(sandbox: Pick<Sandbox, "facilitatorUrl">, number: number) {
  const requirement = {
    scheme: "exact",
    network: NETWORK,
    amount: "10000",
    asset: ASSET,
    payTo: SELLER,
    extra: { name: "USDC", version: "2" },
  };
  const payload = await signTestTransfer(payer, {
    domain: { name: "USDC", version: "2", chainId: 84532 },
    asset: ASSET,
    to: SELLER,
    value: 10_000n,
    valid_after_s: 0n,
    valid_before_s: 10_000_000_000n,
    nonce: `0x${number.toString(16).padStart(64, "0")}`,
  });
  const paymentPayload = { x402Version: 2, accepted: requirement, payload };
  const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirement });
  const response = await fetch(`${sandbox.facilitatorUrl()}/settle`, { method: "POST", body });
  return (await response.json()) as { success: boolean; errorReason?: string };
}

describe("a sandbox with a file, restarted after a kill,", () => {
  test("has its balances and settlements, and every nonce stays used", async () => {
    const file = newFile();
    const first = await start(file);
    await first.control("/fund", { network: NETWORK, address: payer.address, amount_atomic: 50_000 });
    for (const number of [1, 2]) expect(await settle(first.sandbox, number)).toMatchObject({ success: true });
    const before = await first.control("/chain");

    const second = await start(file);
    const after = await second.control("/chain");
    expect(after).toEqual(before);
    expect(after).toMatchObject({
      balances: { [NETWORK]: { [payer.address.toLowerCase()]: "30000", [SELLER.toLowerCase()]: "20000" } },
    });
    expect((after.settlements as unknown[]).length).toBe(2);
    expect(await settle(second.sandbox, 2)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_nonce_already_used",
    });
    expect(await settle(second.sandbox, 3)).toMatchObject({ success: true });
    expect(await (await start(file)).control("/chain")).toEqual(await second.control("/chain"));
  });

  test("has everything that it had confirmed before a real kill", async () => {
    const file = newFile();
    const program = `
      import { createSandbox } from ${JSON.stringify(join(import.meta.dir, "index.ts"))};
      import { createStillClock } from ${JSON.stringify(STILL_CLOCK)};
      const clock = createStillClock();
      const sandbox = await createSandbox({ seed: "s", clock, simulators: [], persist_file: process.argv.at(-1) });
      console.log(sandbox.facilitatorUrl());`;
    const child = Bun.spawn([process.execPath, "-e", program, file], { stdout: "pipe" });
    try {
      const { value } = await child.stdout.getReader().read();
      const url = new TextDecoder().decode(value).trim();
      for (const number of [1, 2, 3]) {
        expect(await settle({ facilitatorUrl: () => url }, number)).toMatchObject({ success: true });
      }
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
    const next = await start(file);
    expect(next.sandbox.readChain().settlements).toBe(3);
    expect(await settle(next.sandbox, 2)).toMatchObject({ success: false });
  });

  test("continues in its own time", async () => {
    const file = newFile();
    const first = await start(file);
    await first.control("/clock", { advance_s: 86_400 });
    const moved_ms = Date.now();
    await first.control("/clock", { advance_s: 3_600 });
    expect(first.clock.now()).toBe(START_MS + 90_000_000);
    const { clock } = await start(file);
    // Its time advanced while nothing ran, as much as the system's time did.
    expect(clock.now() - first.clock.now()).toBeWithin(0, Date.now() - moved_ms + 1);
  });

  test("leaves out a last line torn at any position, and loses nothing written later", async () => {
    const whole = newFile();
    const first = await start(whole);
    await settle(first.sandbox, 1);
    const length = statSync(whole).size;
    await settle(first.sandbox, 2);
    const bytes = readFileSync(whole);
    // If only the line break is missing, the entry is still whole.
    const cuts = [length + 1, length + 40, Math.floor((length + bytes.length) / 2), bytes.length - 2];
    for (const cut of cuts) {
      const file = newFile();
      writeFileSync(file, bytes);
      truncateSync(file, cut);
      const second = await start(file);
      expect(second.sandbox.readChain().settlements).toBe(1);
      expect(await settle(second.sandbox, 2)).toMatchObject({ success: true });
      expect((await start(file)).sandbox.readChain().settlements).toBe(2);
    }
  });

  test("counts a settlement once even if the file has it twice", async () => {
    const file = newFile();
    await settle((await start(file)).sandbox, 1);
    appendFileSync(file, readFileSync(file));
    const { sandbox } = await start(file);
    expect(sandbox.readChain().settlements).toBe(1);
    expect(sandbox.readChain().balance(SELLER)).toBe("10000");
  });

  const authorization = {
    from: payer.address,
    to: SELLER,
    value: "10000",
    validAfter: "0",
    validBefore: "1",
    nonce: `0x${"ab".repeat(32)}`,
  };
  const settled = { kind: "settle", network: NETWORK, authorization, at_ms: 1_767_225_600_000 };
  const funded = { kind: "fund", network: NETWORK, address: SELLER, amount: "5" };
  const damages: readonly Readonly<Record<string, unknown>>[] = [
    { ...settled, authorization: {} },
    { ...settled, authorization: { ...authorization, value: "-1" } },
    { ...settled, authorization: { ...authorization, from: "0x12" } },
    { ...settled, at_ms: 1e300 },
    { ...settled, at_ms: null },
    { ...funded, amount: 5 },
    { ...funded, address: null },
    { kind: "else", network: NETWORK },
    { kind: "clock", offset_ms: 1e300 },
    { kind: "clock", offset_ms: "1" },
    {},
  ];
  test.each(damages)("leaves out the damaged entry %j and keeps the others", async (damaged) => {
    const file = newFile();
    const lines = [damaged, { ...settled, authorization: { ...authorization, value: "700" } }, damaged];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { sandbox, clock } = await start(file);
    expect(sandbox.readChain().settlements).toBe(1);
    expect(sandbox.readChain().balance(SELLER)).toBe("700");
    expect(clock.now()).toBe(START_MS);
  });

  test("never shows a negative balance when the entry that funded a payer is lost", async () => {
    const file = newFile();
    const line = { ...settled, authorization: { ...authorization, value: "100000001" } };
    writeFileSync(file, `${JSON.stringify(line)}\n`);
    const { sandbox } = await start(file);
    expect(sandbox.readChain().balance(payer.address)).toBe("0");
  });
});

test("a sandbox without a file starts with nothing", async () => {
  const sandbox = await createSandbox({ seed: "s", clock: createStillClock(), simulators: [] });
  running.push(sandbox);
  expect(await settle(sandbox, 1)).toMatchObject({ success: true });
  const other = await createSandbox({ seed: "s", clock: createStillClock(), simulators: [] });
  running.push(other);
  expect(other.readChain().settlements).toBe(0);
});

describe("the journal", () => {
  test("has an entry on disk when append returns, readable by the owner only", () => {
    const file = newFile();
    const journal = createJournal(file);
    journal.append({ kind: "a", text: "line\nbreak é" });
    expect(createJournal(file).entries).toEqual([{ kind: "a", text: "line\nbreak é" }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    journal.close();
  });

  test("writes a line break first only after a torn line", () => {
    const file = newFile();
    for (const kind of ["a", "b"]) {
      const journal = createJournal(file);
      journal.append({ kind });
      journal.close();
    }
    expect(readFileSync(file, "utf8")).toBe('{"kind":"a"}\n{"kind":"b"}\n');
    appendFileSync(file, '{"kind":');
    const journal = createJournal(file);
    journal.append({ kind: "c" });
    journal.append({ kind: "d" });
    journal.close();
    expect(readFileSync(file, "utf8")).toEndWith('{"kind":\n{"kind":"c"}\n{"kind":"d"}\n');
  });

  test("skips lines without an entry", () => {
    const file = newFile();
    writeFileSync(file, '\n{"kind":"a"}\n[1]\n7\nnull\n{"kind":\n{"kind":"b"}');
    const journal = createJournal(file);
    expect(journal.entries).toEqual([{ kind: "a" }, { kind: "b" }]);
    journal.close();
  });
});
