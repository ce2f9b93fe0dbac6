/**
 * Checks receipts and the track record, which the node signed, with WebCrypto in the reader's browser. The checks are
 * separate from the page, so that they can be run and attacked anywhere.
 */
(() => {
  const utf8 = new TextEncoder();
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const unbase64 = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

  /** Canonical JSON (RFC 8785) for the values in records: texts, small integers, booleans, nulls, lists, objects. */
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
  /** The id of a node, which is made from its key. */
  const nodeIdOf = async (key) => `in1${base58((await sha256(unbase64(key))).slice(0, 16))}`;

  const isSigned = async (bytes, signature, key) => {
    const jwk = { kty: "OKP", crv: "Ed25519", x: key };
    const imported = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
    return crypto.subtle.verify({ name: "Ed25519" }, imported, unbase64(signature), bytes);
  };
  /** The key with a given id in a DID document. */
  const findKey = (did, key_id) => {
    const name = key_id.slice(key_id.lastIndexOf("#") + 1);
    const found = did.verificationMethod.find(({ id }) => id.slice(id.lastIndexOf("#") + 1) === name);
    return found?.publicKeyJwk?.x;
  };
  /** What was shown contradicts what was signed, or itself. */
  class UntrueError extends Error {}
  const demand = (holds, why) => {
    if (!holds) throw new UntrueError(why);
  };
  /** There is nothing to check, and nobody says there is. */
  const claimNothing = (text) => ({ outcome: "no_claim", text });

  /** Compares a receipt's signed text with the shown receipt. Throws the fault. */
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
    for (const [name, signed] of Object.entries(payload)) {
      const shown = receipt[name];
      demand(shown === undefined || shown === signed, `${name} is shown as ${shown}, signed as ${signed}`);
    }
    return [`signed by ${payload.node_id}`, "what is shown is what was signed"];
  };

  const textHash = async (text) => hex(await sha256(utf8.encode(text)));

  /** Compares the answer and its inputs with their hashes. */
  const checkHashes = async ({ answer, response_sha256, inputs, inputs_sha256, recipe }) => {
    demand((await textHash(answer)) === response_sha256, "the answer is not the one that response_sha256 names");
    demand(recipe.inputs_sha256 === inputs_sha256, "the recipe names other inputs");
    if (inputs === null) return "the answer has the hash that is stated; its inputs are withheld";
    demand((await textHash(inputs)) === inputs_sha256, "the inputs are not those that inputs_sha256 names");
    return "answer and inputs have the hashes that are stated";
  };
  /** Checks the signed receipt against the answer and the node's key. */
  const checkPaid = async ({ receipt, node, response_sha256, request_sha256 }) => {
    if (receipt === null) return claimNothing("no receipt: a call of a key has none");
    const [head, body, signature, ...more] = receipt.node.signature.split(".");
    demand(head && body && signature && more.length === 0, "the receipt is no signed text");
    const header = JSON.parse(new TextDecoder().decode(unbase64(head)));
    demand(header.alg === "EdDSA", `the receipt is signed by ${header.alg}, not EdDSA`);
    const key = findKey(node, String(header.kid));
    demand(key, `the node lists no key ${header.kid}`);
    demand(
      await isSigned(utf8.encode(`${head}.${body}`), signature, key),
      "the receipt's signature is not of this key",
    );
    const paid = JSON.parse(new TextDecoder().decode(unbase64(body)));
    demand(paid.node_id === (await nodeIdOf(key)), "the node's name does not follow from its key");
    demand(paid.receipt_id === receipt.id, "the receipt is of another sale");
    demand(paid.response_sha256 === response_sha256, "the receipt is of another answer");
    demand(paid.request_sha256 === request_sha256, "the receipt is of another request");
    return `${paid.receipt_id} is signed for this answer by ${paid.node_id}`;
  };
  /** RFC 9162 2.1.3.2: the root of a leaf and its audit path; null if the path is invalid. */
  const rootOf = async ({ leaf, index, size, path }) => {
    let [node, place, last] = [leaf, index, size - 1];
    for (const other of path) {
      if (last === 0) return null;
      const is_right = place % 2 === 1 || place === last;
      node = is_right ? await pair(other, node) : await pair(node, other);
      if (is_right)
        while (place % 2 === 0 && place !== 0) [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
      [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
    }
    return last === 0 ? node : null;
  };
  /** Checks the seal, which proves that this answer is under the node's signed root. */
  const checkSeal = async ({ seal, not_sealed, response_sha256, inputs_sha256, receipt }) => {
    if (seal === null) return claimNothing(`not sealed: ${not_sealed ?? "a call of a key is in no seal"}`);
    const { item, record, signed_text, signature, public_key, leaf_index, audit_path } = seal;
    demand(item.response_sha256 === response_sha256, "the seal is of another answer");
    demand(item.inputs_sha256 === undefined || item.inputs_sha256 === inputs_sha256, "the seal names other inputs");
    demand(receipt !== null && item.receipt_id === receipt.id, "the seal is of another sale");
    const leaf = hex(await sha256(new Uint8Array([0, ...utf8.encode(canonical(item))])));
    const size = Number(record.leaf_count);
    demand(Number.isInteger(leaf_index) && leaf_index >= 0 && leaf_index < size, "it has no place in the seal's tree");
    const root = await rootOf({ leaf, index: leaf_index, size, path: audit_path });
    demand(root === record.root, "it does not lead to the sealed root");
    const { v: _v, seq: _seq, prev_hash: _prev, ...sealed } = record;
    demand(signed_text === `intel-node:receipt-seal:v1\n${canonical(sealed)}`, "the signed text is of another seal");
    demand(await isSigned(utf8.encode(signed_text), signature, public_key), "the seal's signature is not of its key");
    demand(sealed.node_id === (await nodeIdOf(public_key)), "the seal's node is not called after its key");
    demand(item.node_id === sealed.node_id, "the seal is of another node");
    return `sealed at ${sealed.sealed_at}`;
  };
  const BUNDLE = "intel-node-bundle/1";
  const BUNDLE_STEPS = [checkHashes, checkPaid, checkSeal];
  /** An answer of a peer's, which this node does not claim to have made. */
  const isOfPeer = (given) => typeof given?.via?.seal_url === "string" && "data" in given;
  /**
   * What a browser can see of a bundle, each line with one of the four words of x402's proposed `response-provenance`.
   * That the answer follows from its inputs takes the program, so of that it is always "unverifiable" here.
   */
  const checkBundle = async (bundle) => {
    if (isOfPeer(bundle))
      return [{ outcome: "no_claim", text: `a peer made it: see its seal, ${bundle.via.seal_url}` }];
    if (bundle?.format !== BUNDLE) {
      return [{ outcome: "unverifiable", text: `this is no bundle: its format is ${bundle?.format}` }];
    }
    const told = [];
    try {
      for (const step of BUNDLE_STEPS) {
        const found = await step(bundle);
        told.push(typeof found === "string" ? { outcome: "verified", text: found } : found);
      }
    } catch (error) {
      if (!(error instanceof UntrueError)) {
        return [...told, { outcome: "unverifiable", text: `it cannot be read: ${error.message}` }];
      }
      return [...told, { outcome: "contradicted", text: error.message }];
    }
    return [...told, { outcome: "unverifiable", text: "here: that the answer follows from its inputs" }];
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
  const leafOf = async (...hashes) => hex(await sha256(new Uint8Array([0, ...unhex(hashes.join(""))])));
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
    const { records_root } = payload;
    if (records_root !== undefined) {
      const leaves = await Promise.all(records.map(({ record_hash }) => leafOf(record_hash)));
      demand((await merkleRoot(leaves)) === records_root, "the root over all records is another one");
    }
    return `${records.length} records, each linked to the one before, from the first to the signed head`;
  };
  const checkResults = async ({ records }) => {
    let checked = 0;
    for (const { record, record_hash, outcome, outcome_hash } of records) {
      const { seq } = record;
      demand((outcome === null) === (outcome_hash === null), `the outcome of ${seq} and its hash do not go together`);
      if (outcome === null) continue;
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
  /** Checks all stated outcomes in order, so that a signal without one is really open. */
  const checkLog = async ({ payload, records }) => {
    const stated = records.filter(({ outcome }) => outcome !== null);
    for (const [name, n] of [
      ["n_open", records.length - stated.length],
      ["n_unscorable", stated.filter(({ outcome }) => outcome.status !== "scored").length],
    ]) {
      const is_one_model = records.every(({ record }) => record.model_id === payload.model_id);
      demand(!is_one_model || (payload[name] ?? n) === n, `${name} is ${n}, signed as ${payload[name]}`);
    }
    if (payload.outcome_log_root === undefined) return;
    const log = stated.toSorted((a, b) => a.outcome_seq - b.outcome_seq);
    demand(
      log.length === payload.outcome_log_size && log.every(({ outcome_seq }, index) => outcome_seq === index + 1),
      `${log.length} outcomes are not the ${payload.outcome_log_size} that are signed for`,
    );
    const leaves = await Promise.all(log.map(({ record_hash, outcome_hash }) => leafOf(record_hash, outcome_hash)));
    demand((await merkleRoot(leaves)) === payload.outcome_log_root, "the root over all outcomes is another one");
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
      leaves.push(await leafOf(record_hash, outcome_hash));
    }
    demand((await merkleRoot(leaves)) === payload.outcomes_root, "the Merkle root is another one");
    await checkLog({ payload, records });
    return `${wins} hits of ${own.length}, ${sum} bps in all, and the Merkle root agree`;
  };

  /** Checks signature, chain, results and root, in this order. Each step returns its result or throws the fault. */
  const TRACK_STEPS = [checkStatement, checkChain, checkResults, checkTotals];
  const checkTrack = async (given) => {
    const told = [];
    for (const step of TRACK_STEPS) told.push(await step(given));
    return told;
  };
  globalThis.intelNodeChecks = { checkReceipt, checkTrack, checkBundle };
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
  const MARKS = { verified: "dot", contradicted: "dot bad", no_claim: "dot open", unverifiable: "dot open" };
  const show = (list, text, outcome) => {
    const line = document.createElement("li");
    const mark = document.createElement("span");
    mark.className = MARKS[outcome];
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
        for (const told of await run()) show(list, told, "verified");
      } catch (error) {
        show(list, error instanceof Error ? error.message : String(error), "contradicted");
      }
      button.disabled = false;
    });
  };
  connect("[data-verify-track]", async () => checkTrack(await loadTrack()));
  const BUNDLE_BYTES_MAX = 50_000_000;
  const connectDrop = (zone) => {
    const [list, input] = [document.querySelector("[data-steps]"), zone.querySelector("input")];
    const check = async (file) => {
      if (!file) return;
      list.replaceChildren();
      try {
        demand(file.size <= BUNDLE_BYTES_MAX, "this file is too large for a bundle");
        for (const { outcome, text } of await checkBundle(JSON.parse(await file.text()))) {
          show(list, `${outcome}: ${text}`, outcome);
        }
        document.querySelector("[data-command]").hidden = false;
      } catch (error) {
        show(list, `unverifiable: ${error instanceof Error ? error.message : String(error)}`, "unverifiable");
      }
    };
    zone.hidden = false;
    input.addEventListener("change", () => check(input.files[0]));
    zone.addEventListener("dragover", (event) => event.preventDefault());
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      check(event.dataTransfer.files[0]);
    });
  };
  for (const zone of document.querySelectorAll("[data-verify-bundle]")) connectDrop(zone);
  connect("[data-verify-receipt]", async () => checkReceipt(await loadReceipt()));
})();
