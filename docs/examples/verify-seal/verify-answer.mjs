// Checks the free proof of a paid answer without the node: node verify-answer.mjs seal.json <node key> [answer.json]
// seal.json is the node's /receipts/<id>/seal (<id> is X-Receipt-Id of the answer), answer.json the answer's bytes as
// they came. The key is `node_key` of /.well-known/verify-manifest, without "ed25519:". Ends with 0 when all holds, 4
// when anything is off.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(Buffer.from(part));
  return hash.digest("hex");
};
const hashPair = (left, right) => sha256([1], Buffer.from(left, "hex"), Buffer.from(right, "hex"));

/** JSON in canonical form (RFC 8785). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** The root that a leaf and the hashes beside its way up lead to (RFC 9162, section 2.1.3.2). */
function climb(leaf, index, count, path) {
  let [hash, at, last] = [leaf, index, count - 1];
  for (const beside of path) {
    if (at % 2 === 1 || at === last) {
      hash = hashPair(beside, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else hash = hashPair(hash, beside);
    [at, last] = [at >> 1, last >> 1];
  }
  return last === 0 ? hash : "";
}

/** Whether a key signed a text (Ed25519, RFC 8032); a key that is none signed nothing. */
function isSigned(text, key, signature) {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: key };
    const public_key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, Buffer.from(text), public_key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

function findFault(proof, node_key, answer) {
  const { item, leaf_hash, leaf_index, audit_path, record } = proof;
  if (answer !== undefined && sha256(answer) !== item.response_sha256) return "the proof is of another answer";
  if (sha256([0], canonical(item)) !== leaf_hash) return "leaf_hash is not the hash of the item";
  if (climb(leaf_hash, leaf_index, record.leaf_count, audit_path) !== record.root) return "the proof leads elsewhere";
  if (sha256(canonical(record)) !== proof.record_hash) return "record_hash is not the hash of the record";
  const { v, seq, prev_hash, ...sealed } = record;
  const statement = `intel-node:receipt-seal:v1\n${canonical(sealed)}`;
  if (item.node_id !== sealed.node_id) return "the seal is of another node";
  return isSigned(statement, node_key, proof.signature) ? null : "the key did not sign it";
}

const [seal_file, node_key, answer_file] = process.argv.slice(2);
const { proof } = JSON.parse(readFileSync(seal_file, "utf8"));
const answer = answer_file === undefined ? undefined : readFileSync(answer_file);
const fault = proof === null ? "there is no seal yet" : findFault(proof, node_key, answer);
process.stdout.write(fault === null ? "sealed: everything holds\n" : `NOT PROVEN: ${fault}\n`);
process.exit(fault === null ? 0 : 4);
