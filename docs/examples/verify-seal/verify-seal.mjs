// Checks an answer of /trust-hash without the node: node verify-seal.mjs seal.json <node key> [answer.json]
// The key is `node_key` of the node's /.well-known/verify-manifest, without "ed25519:". answer.json is an answer you
// hold, as it came; its product's path is taken from the envelope. Ends with 0 when all holds, 4 when anything is off.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((one) => Buffer.from(one))));
const hashLeaf = (text) => sha256([0], text).digest("hex");
const hashPair = (left, right) => sha256([1], Buffer.from(left, "hex"), Buffer.from(right, "hex")).digest("hex");

/** JSON in canonical form (RFC 8785). */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** The root of a tree (RFC 6962, section 2.1): split at the largest power of two below the count. */
function rootOf(leaves) {
  if (leaves.length === 1) return leaves[0];
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return hashPair(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
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

function findFault(seal, node_key, answer) {
  const { seq, root, record_hash, prev_hash, leaf_count, sealed_at, signed_text, signature, proof } = seal;
  const leaves = seal.leaves.map(({ leaf_hash }) => leaf_hash);
  if (leaves.length === 0 || leaves.length !== leaf_count) return "leaf_count is not the number of leaves";
  if (rootOf(leaves) !== root) return "the leaves do not lead to the root";
  const record = canonical({ v: 1, seq, prev_hash, root, leaf_count, sealed_at });
  if (sha256(record).digest("hex") !== record_hash) return "record_hash is not the hash of the record";
  if (seal.public_key !== node_key) return "the seal names another key than the node's";
  const statement = `intel-node:seal:v1\n${canonical({ leaf_count, root, sealed_at })}`;
  if (signed_text !== statement) return "signed_text does not state this root";
  if (!isSigned(statement, node_key, signature)) return "the key did not sign it";
  if (proof !== null) {
    const { leaf_index, audit_path } = proof;
    if (climb(leaves[leaf_index] ?? "", leaf_index, leaf_count, audit_path) !== root)
      return "the proof leads elsewhere";
  }
  if (answer === undefined) return null;
  const { as_of, data } = answer;
  const leaf = hashLeaf(canonical({ as_of, data, product: `/${answer.product}` }));
  return leaves.includes(leaf) ? null : "this answer is not under the root";
}

const [seal_file, node_key, answer_file] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const fault = findFault(read(seal_file).data, node_key, answer_file === undefined ? undefined : read(answer_file));
process.stdout.write(fault === null ? "sealed: everything holds\n" : `NOT PROVEN: ${fault}\n`);
process.exit(fault === null ? 0 : 4);
