/**
 * Checks of what the node signed, by WebCrypto, in the reader's own browser: receipts and the track record. The checks
 * stand apart from the page, so that they can be run and attacked anywhere.
 */
(() => {
  const utf8 = new TextEncoder();
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const unbase64 = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

  /** Canonical JSON (RFC 8785) of what records hold: texts, small integers, booleans, nulls, lists, objects. */
  const canonical = (value) => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  };
  const hashOf = async (value) => hex(await sha256(utf8.encode(canonical(value))));

  const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const base58 = (bytes) => {
    let number = BigInt(`0x${hex(bytes)}`);
    let text = "";
    for (; number > 0n; number /= 58n) text = LETTERS[Number(number % 58n)] + text;
    const zeros = bytes.findIndex((byte) => byte !== 0);
    return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
  };
  /** A node is called after its key. */
  const nodeIdOf = async (key) => `in1${base58((await sha256(unbase64(key))).slice(0, 16))}`;

  const isSigned = async (bytes, signature, key) => {
    const jwk = { kty: "OKP", crv: "Ed25519", x: key };
    const imported = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
    return crypto.subtle.verify({ name: "Ed25519" }, imported, unbase64(signature), bytes);
  };
  /** The key of a DID document that a key id names. */
  const findKey = (did, key_id) => {
    const name = key_id.slice(key_id.lastIndexOf("#") + 1);
    const found = did.verificationMethod.find(({ id }) => id.slice(id.lastIndexOf("#") + 1) === name);
    return found?.publicKeyJwk?.x;
  };
  const demand = (holds, why) => {
    if (!holds) throw new Error(why);
  };

  /** A receipt's signed text against what is shown of it. Throws what is wrong. */
  const checkReceipt = async ({ receipt, did }) => {
    const [head, body, signature, ...more] = receipt.signed.node.signature.split(".");
    demand(head && body && signature && more.length === 0, "this is no signed text");
    const header = JSON.parse(new TextDecoder().decode(unbase64(head)));
    demand(header.alg === "EdDSA", `it is signed by ${header.alg}, not EdDSA`);
    const key = findKey(did, String(header.kid));
    demand(key, `the node lists no key ${header.kid}`);
    demand(await isSigned(utf8.encode(`${head}.${body}`), signature, key), "the signature is not of this text and key");
    const payload = JSON.parse(new TextDecoder().decode(unbase64(body)));
    demand(payload.node_id === (await nodeIdOf(key)), "the node's name does not follow from its key");
    demand(payload.receipt_id === receipt.id, "the signed text is of another receipt");
    const same = "network transaction product asset amount_atomic payer pay_to settled_at label".split(" ");
    for (const name of [...same, "request_sha256", "response_sha256"]) {
      demand(payload[name] === receipt[name], `${name} is shown as ${receipt[name]}, signed as ${payload[name]}`);
    }
    return [`signed by ${payload.node_id}`, "what is shown is what was signed"];
  };

  const HOUR_MS = 3_600_000;
  const bps = (value) => value.toFixed(1).replace(/^-(0\.0)$/, "$1");

  const checkStatement = async ({ statement, did }) => {
    const { payload, payload_canonical: text, signature } = statement;
    demand(canonical(payload) === text, "the signed text is not that of the figures shown");
    const key = findKey(did, payload.key_id);
    demand(key, `the node lists no key ${payload.key_id}`);
    const signed = utf8.encode(`intel-node:win-rate:v1\n${text}`);
    demand(await isSigned(signed, signature, key), "the signature is not of this text and key");
    demand(payload.node_id === (await nodeIdOf(key)), "the node's name does not follow from its key");
    return `signed by ${payload.node_id}`;
  };
  const checkChain = async ({ statement: { payload }, records }) => {
    let before = hex(await sha256(utf8.encode("intel-node:signals:v1:genesis")));
    for (const [index, { record, record_hash }] of records.entries()) {
      demand(record.seq === index + 1, `record ${index + 1} is missing`);
      demand(record.prev_hash === before, `record ${record.seq} is not linked to the one before it`);
      demand((await hashOf(record)) === record_hash, `record ${record.seq} does not have its hash`);
      before = record_hash;
    }
    demand(
      records.length === payload.chain_length,
      `${records.length} records, ${payload.chain_length} are signed for`,
    );
    demand(before === payload.chain_head, "the newest record is not the signed head");
    return `${records.length} records, each linked to the one before, from the first to the signed head`;
  };
  const checkResults = async ({ records }) => {
    let checked = 0;
    for (const { record, record_hash, outcome, outcome_hash } of records) {
      if (outcome === null) continue;
      const { seq } = record;
      demand((await hashOf(outcome)) === outcome_hash, `the outcome of ${seq} does not have its hash`);
      demand(outcome.seq === seq && outcome.record_hash === record_hash, `the outcome beside ${seq} is of another one`);
      if (outcome.status !== "scored") continue;
      const change = Number(outcome.exit_price) / Number(outcome.entry_price) - 1;
      const gross = bps((record.side === "long" ? 1 : -1) * change * 10_000);
      const net = bps(Number(gross) - Number(record.cost_bps));
      const right = gross === outcome.gross_bps && net === outcome.net_bps && Number(net) > 0 === outcome.hit;
      demand(right, `the result of ${seq} is ${net} bps, not ${outcome.net_bps}`);
      const entry_ms = (Math.floor(Date.parse(record.emitted_at) / HOUR_MS) + 1) * HOUR_MS;
      const timed =
        Date.parse(outcome.entry_at) === entry_ms &&
        Date.parse(outcome.exit_at) === entry_ms + record.horizon_h * HOUR_MS;
      demand(timed, `entry or exit of ${seq} is not at its hour`);
      checked += 1;
    }
    return `${checked} results follow from their prices, hours and costs`;
  };
  const pair = async (left, right) => hex(await sha256(new Uint8Array([1, ...unhex(left), ...unhex(right)])));
  /** RFC 6962: an odd node moves up unchanged. */
  const merkleRoot = async (leaves) => {
    let level = leaves;
    if (level.length === 0) return hex(await sha256(new Uint8Array()));
    while (level.length > 1) {
      const next = [];
      for (let index = 0; index < level.length; index += 2) {
        next.push(index + 1 < level.length ? await pair(level[index], level[index + 1]) : level[index]);
      }
      level = next;
    }
    return level[0];
  };
  const checkTotals = async ({ statement: { payload }, records }) => {
    const scored = records.filter(({ outcome }) => outcome?.status === "scored");
    const own = scored.filter(({ record }) => record.model_id === payload.model_id);
    demand(own.length === payload.n_scored, `${own.length} graded signals, ${payload.n_scored} are signed for`);
    const wins = own.filter(({ outcome }) => outcome.hit).length;
    demand(wins === payload.wins, `${wins} hits, ${payload.wins} are signed for`);
    const sum = bps(own.reduce((total, { outcome }) => total + Number(outcome.net_bps), 0));
    demand(sum === payload.sum_net_bps, `the results add up to ${sum} bps, not ${payload.sum_net_bps}`);
    const leaves = [];
    for (const { record_hash, outcome_hash } of scored) {
      leaves.push(hex(await sha256(new Uint8Array([0, ...unhex(record_hash), ...unhex(outcome_hash)]))));
    }
    demand((await merkleRoot(leaves)) === payload.outcomes_root, "the Merkle root is another one");
    return `${wins} hits of ${own.length}, ${sum} bps in all, and the Merkle root agree`;
  };

  /** Signature, chain, results and root, in this order; each step says what it found or throws what is wrong. */
  const TRACK_STEPS = [checkStatement, checkChain, checkResults, checkTotals];
  const checkTrack = async (given) => {
    const told = [];
    for (const step of TRACK_STEPS) told.push(await step(given));
    return told;
  };
  globalThis.intelNodeChecks = { checkReceipt, checkTrack };
  if (typeof document === "undefined") return;

  const getJSON = async (url) => {
    const response = await fetch(url, { headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response.json();
  };
  const loadTrack = async () => {
    const did = await getJSON("/.well-known/did.json");
    const records = [];
    let statement;
    for (let query = ""; query !== null; ) {
      const part = await getJSON(`/track-record/evidence${query}`);
      statement ??= part.statement;
      records.push(...part.records);
      query = part.next_after_seq === null ? null : `?after_seq=${part.next_after_seq}`;
    }
    return { did, statement, records };
  };
  const loadReceipt = async () => {
    const [receipt, did] = [await getJSON(location.pathname), await getJSON("/.well-known/did.json")];
    return { receipt, did };
  };
  const show = (list, text, good) => {
    const line = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = good ? "dot" : "dot bad";
    line.append(mark, text);
    list.append(line);
  };
  const connect = (selector, run) => {
    const button = document.querySelector(selector);
    if (!button) return;
    const list = document.querySelector("[data-steps]");
    button.hidden = false;
    button.addEventListener("click", async () => {
      list.replaceChildren();
      button.disabled = true;
      try {
        for (const told of await run()) show(list, told, true);
      } catch (error) {
        show(list, error instanceof Error ? error.message : String(error), false);
      }
      button.disabled = false;
    });
  };
  connect("[data-verify-track]", async () => checkTrack(await loadTrack()));
  connect("[data-verify-receipt]", async () => checkReceipt(await loadReceipt()));
})();
