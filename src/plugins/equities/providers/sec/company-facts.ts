import { Type } from "@sinclair/typebox";
import { assertAboveFloor, type FetchContext, UpstreamError, unusable } from "intel-node";
import { WANTED_TAGS } from "../../facts/concepts.ts";
import { type EdgarFact, scanFacts } from "../../facts/scan-facts.ts";
import { sec } from "./provider.ts";
import { padCik } from "./submissions.ts";

const Bytes = Type.Unsafe<Uint8Array>(Type.Unknown());
/** Twice the largest file there is. */
const BYTES_MAX = 32_000_000;
const TIMEOUT_MS = 15_000;

export interface CompanyFacts {
  readonly facts: readonly EdgarFact[];
  /** What was left out of the file. */
  readonly warnings: readonly string[];
}

/**
 * The XBRL facts of a company, of the tags that are read here. The file is not kept: up to 16 MB for a few percent.
 * @throws UpstreamError upstream_not_found for a registrant without XBRL.
 */
export async function fetchCompanyFacts(context: Pick<FetchContext, "get">, cik: number): Promise<CompanyFacts> {
  const bytes = await context.get(sec, {
    host: "data",
    path: `/api/xbrl/companyfacts/CIK${padCik(cik)}.json`,
    format: "bytes",
    schema: Bytes,
    ttl_ms: 0,
    body_bytes_max: BYTES_MAX,
    timeout_ms: TIMEOUT_MS,
    errors: [{ status: 404, schema: Type.Unknown(), means: "not_found" }],
    // Any other file is refused here, so that it counts as a failed call.
    read: (body) => (isWhole(body, cik) ? body : unusable("no companyfacts file, or not the whole of it")),
  });
  try {
    const { facts, dropped, of } = await scanFacts(bytes, WANTED_TAGS);
    assertAboveFloor({ dropped, of }, "facts that no report can hold");
    return { facts, warnings: dropped === 0 ? [] : [describeDropped(dropped, of)] };
  } catch (cause) {
    throw new UpstreamError("upstream_bad_response", sec.id, "the companyfacts file cannot be read", { cause });
  }
}

const describeDropped = (dropped: number, of: number): string =>
  `sec: ${dropped} of ${of} facts ${dropped === 1 ? "was" : "were"} unreadable and left out`;

const HEAD = 256;
const TAIL = 64;
/** Looks at both ends alone, and at whose file it is: the rest is read once, later. */
function isWhole(bytes: Uint8Array, cik: number): boolean {
  const decoder = new TextDecoder();
  const [, owner] = /^\{\s*"cik"\s*:\s*"?0*(\d{1,10})"?\s*,/.exec(decoder.decode(bytes.subarray(0, HEAD))) ?? [];
  return owner === String(cik) && /\}\s*\}\s*$/.test(decoder.decode(bytes.subarray(-TAIL)));
}
