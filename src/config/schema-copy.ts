import { Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";
import { Duration, Url } from "./schema-parts.ts";

/** Where every change of the ledger is copied to as it is made. */
export const Copy = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "folder that exists, best on another machine's disk, or s3://bucket/prefix; none = no copy",
        example: "s3://my-bucket/intel-node",
      }),
    ),
    every: Duration("1s", "how often what was committed is sent, 100ms to 1m"),
    keep: Duration("7d", "every minute of so much past can be restored, at least 1h"),
    endpoint: Type.Optional(
      Url("address of a store that is S3-compatible; none = Amazon's", "https://s3.eu-central-003.backblazeb2.com"),
    ),
    region: Type.Optional(
      Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$", description: "the bucket's region", example: "eu-central-003" }),
    ),
    access_key_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "id of the store's key", example: "0035ae…" }),
    ),
    secret_access_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        secret: true,
        description: "that key, best set in the environment",
        example: "…",
      }),
    ),
    secret_access_key_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "file that holds that key",
        example: "/run/secrets/copy",
      }),
    ),
  },
  { ...closed, description: "continuous copy of the ledger, restored to any minute" },
);
