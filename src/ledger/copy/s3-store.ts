import { messageOf } from "../../core/errors.ts";
import type { CopyPlace } from "./copy-state.ts";
import type { CopyStore } from "./copy-store.ts";
import { withinTime } from "./within-time.ts";

const LISTED_AT_ONCE = 1_000;
/** A store that never ends its list. */
const LISTS_MAX = 10_000;
const TEXT_MAX = 300;

/** A copy in an S3-compatible store. Its errors name the place, never a key. */
export function createS3Store(place: Extract<CopyPlace, { kind: "s3" }>, time_ms_max: number): CopyStore {
  const { bucket, prefix, endpoint, region, access_key_id, secret_access_key } = place;
  const client = new Bun.S3Client({
    bucket,
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    // The environment's settings for another store do not apply.
    sessionToken: "",
    retry: 0,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  });
  const root = prefix === "" ? "" : `${prefix}/`;
  const where = endpoint === undefined ? `s3://${bucket}` : `${bucket} at ${endpoint}`;
  const ask = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await withinTime(time_ms_max, what, work);
    } catch (error) {
      throw new Error(`${what} ${where}: ${describe(error)}`, { cause: error });
    }
  };
  return {
    put: async (key, bytes) => void (await ask("writing to", client.write(root + key, bytes))),
    get: (key) => ask("reading from", client.file(root + key).bytes()),
    remove: (key) => ask("removing from", client.delete(root + key)),
    async list() {
      const keys: string[] = [];
      let continuationToken: string | undefined;
      for (let lists = 0; lists < LISTS_MAX; lists += 1) {
        const asked = { prefix: root, maxKeys: LISTED_AT_ONCE, ...(continuationToken && { continuationToken }) };
        const { contents = [], isTruncated, nextContinuationToken } = await ask("listing", client.list(asked));
        for (const { key } of contents) if (key.startsWith(root)) keys.push(key.slice(root.length));
        if (isTruncated !== true || nextContinuationToken === undefined) return keys;
        continuationToken = nextContinuationToken;
      }
      throw new Error(`listing ${where} does not end`);
    },
  };
}

/** S3 answers in XML: of an error its code and message. */
function describe(error: unknown): string {
  const text = messageOf(error);
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const [, message] = /<Message>([^<]{1,300})<\/Message>/.exec(text) ?? [];
  if (code !== undefined) return message === undefined ? code : `${code}: ${message}`;
  const own = error instanceof Error && "code" in error ? `${String(error.code)}: ` : "";
  return `${own}${text}`.slice(0, TEXT_MAX);
}
