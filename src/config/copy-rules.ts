import { parseDuration } from "../core/duration.ts";
import type { Config } from "./schema.ts";

interface CopyFault {
  readonly path: readonly string[];
  readonly message: string;
}

const EVERY_MS_MIN = 100;
const EVERY_MS_MAX = 60_000;
const KEEP_MS_MIN = 3_600_000;
/** A bucket, and what the names of all objects begin with. */
export const S3_FORM = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9!_.*'()-]+)*)\/?$/;

/** What keeps [copy] from being done as it is written. */
export function checkCopy({ copy }: Config): readonly CopyFault[] {
  const { to, every, keep } = copy;
  const every_ms = parseDuration(every);
  const fault = (key: string, message: string): CopyFault => ({ path: ["copy", key], message });
  return [
    ...(every_ms < EVERY_MS_MIN || every_ms > EVERY_MS_MAX ? [fault("every", "from 100ms to 1m")] : []),
    ...(parseDuration(keep) < KEEP_MS_MIN ? [fault("keep", "at least 1h")] : []),
    ...(to?.startsWith("s3:") ? checkStore(copy, fault) : []),
  ];
}

function checkStore(copy: Config["copy"], fault: (key: string, message: string) => CopyFault): readonly CopyFault[] {
  const { to = "", access_key_id, secret_access_key, secret_access_key_file } = copy;
  const has_secret = secret_access_key !== undefined || secret_access_key_file !== undefined;
  return [
    ...(S3_FORM.test(to) ? [] : [fault("to", 'a bucket and a prefix, such as "s3://my-bucket/intel-node"')]),
    ...(access_key_id === undefined ? [fault("to", 'an S3 store needs "access_key_id"')] : []),
    ...(has_secret ? [] : [fault("to", 'an S3 store needs "secret_access_key" or "secret_access_key_file"')]),
  ];
}
