import type { NodeError } from "../../core/errors.ts";
import { getOwn } from "../../core/own.ts";

/** Lines of the protocol this door speaks. */
export type Version = "0.3" | "1.0";

/** What the door does for a caller; everything else is refused by name. */
export type Operation = "send" | "get" | "cancel" | PushOperation;
/** What is reported of a task as it goes on, and where. */
export type PushOperation = "push_set" | "push_get" | "push_list" | "push_delete";

/** Error codes of JSON-RPC 2.0 and of A2A, with the names version 1.0 puts into `data`. */
export const CODES = {
  parse_error: [-32700, "PARSE_ERROR"],
  invalid_request: [-32600, "INVALID_REQUEST"],
  method_not_found: [-32601, "METHOD_NOT_FOUND"],
  invalid_params: [-32602, "INVALID_PARAMS"],
  internal_error: [-32603, "INTERNAL_ERROR"],
  task_not_found: [-32001, "TASK_NOT_FOUND"],
  task_not_cancelable: [-32002, "TASK_NOT_CANCELABLE"],
  push_not_supported: [-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  unsupported_operation: [-32004, "UNSUPPORTED_OPERATION"],
  content_type_not_supported: [-32005, "CONTENT_TYPE_NOT_SUPPORTED"],
  version_not_supported: [-32009, "VERSION_NOT_SUPPORTED"],
} as const satisfies Record<string, readonly [code: number, reason: string]>;

export type RPCCode = keyof typeof CODES;

/** A call that is refused as a whole. Whatever it brought to pay with was not charged by it. */
export class RPCError extends Error {
  override readonly name = "RPCError";
  constructor(
    readonly code: RPCCode,
    message: string,
    /** What the caller can read besides the text. */
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Set when the other doors have the same error. */
    readonly known?: NodeError,
  ) {
    super(message);
  }
}

const OPERATIONS: Readonly<Record<Version, Readonly<Record<string, Operation>>>> = {
  "0.3": {
    "message/send": "send",
    "tasks/get": "get",
    "tasks/cancel": "cancel",
    "tasks/pushNotificationConfig/set": "push_set",
    "tasks/pushNotificationConfig/get": "push_get",
    "tasks/pushNotificationConfig/list": "push_list",
    "tasks/pushNotificationConfig/delete": "push_delete",
  },
  "1.0": {
    SendMessage: "send",
    GetTask: "get",
    CancelTask: "cancel",
    CreateTaskPushNotificationConfig: "push_set",
    GetTaskPushNotificationConfig: "push_get",
    ListTaskPushNotificationConfigs: "push_list",
    DeleteTaskPushNotificationConfig: "push_delete",
  },
};

/** Methods that exist and are not offered here. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  "message/stream",
  "tasks/resubscribe",
  "tasks/list",
  "agent/getAuthenticatedExtendedCard",
  "SendStreamingMessage",
  "SubscribeToTask",
  "ListTasks",
  "GetExtendedAgentCard",
]);

const VERSION = /^(0\.3|1\.0)(\.\d{1,3})?$/;

/**
 * The version a call is made in: `A2A-Version`, and 0.3 where it is absent, as A2A 1.0 rules.
 * @throws RPCError version_not_supported
 */
export function readVersion(headers: Headers): Version {
  const given = headers.get("a2a-version")?.trim() ?? "";
  const found = VERSION.exec(given)?.[1];
  if (found === "1.0") return "1.0";
  if (found === "0.3" || given === "") return "0.3";
  throw new RPCError("version_not_supported", "A2A 0.3 and 1.0 are spoken here.", { supported: ["0.3", "1.0"] });
}

/** @throws RPCError method_not_found or unsupported_operation */
export function readOperation(version: Version, method: string): Operation {
  const found = Object.hasOwn(OPERATIONS[version], method) ? OPERATIONS[version][method] : undefined;
  if (found) return found;
  if (NOT_OFFERED.has(method)) {
    throw new RPCError("unsupported_operation", `${method} is not offered: every call is answered when it is done.`);
  }
  const other: Version = version === "0.3" ? "1.0" : "0.3";
  const hint = Object.hasOwn(OPERATIONS[other], method)
    ? ` It belongs to A2A ${other}, which A2A-Version did not say.`
    : "";
  const known = Object.keys(OPERATIONS[version]);
  throw new RPCError("method_not_found", `No such method in A2A ${version}.${hint}`, { methods: known });
}

/** URIs of the x402 extension and the payment protocol its clients read. */
const EXTENSIONS: Readonly<Record<string, 1 | 2>> = {
  "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2": 2,
  "https://github.com/google-a2a/a2a-x402/v0.1": 1,
};
const EXTENSION_HEADERS = ["a2a-extensions", "x-a2a-extensions"] as const;
const URIS_MAX = 20;

export interface Activation {
  /** Headers of the answer: the same names the caller used, with what was activated. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The x402 version challenges are written in. */
  readonly protocol: 1 | 2;
}

/**
 * Which of the caller's extensions are active. Challenges are in version 2 unless the caller knows nothing but the
 * first draft of the extension, which was written when x402 had one version.
 */
export function readExtensions(headers: Headers): Activation {
  const echoed: (readonly [string, string])[] = [];
  const active = new Set<string>();
  for (const name of EXTENSION_HEADERS) {
    const given = (headers.get(name) ?? "").split(",", URIS_MAX).map((uri) => uri.trim());
    const known = [...new Set(given)].filter((uri) => Object.hasOwn(EXTENSIONS, uri));
    if (known.length > 0)
      echoed.push([name === "a2a-extensions" ? "A2A-Extensions" : "X-A2A-Extensions", known.join(", ")]);
    for (const uri of known) active.add(uri);
  }
  const versions = [...active].map((uri) => getOwn(EXTENSIONS, uri));
  return { headers: echoed, protocol: versions.length > 0 && !versions.includes(2) ? 1 : 2 };
}
