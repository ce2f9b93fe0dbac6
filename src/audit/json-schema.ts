import Ajv, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import { LRUCache } from "lru-cache";

/** Where in the document a value stands, when it is part of a larger one. */
export interface SchemaPlace {
  readonly where: string;
}

/** "/a/0/b~1c" as people write it: "a[0].b/c". */
function renderPath(pointer: string, where: string): string {
  const parts = pointer.split("/").slice(1);
  return parts.reduce((path, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === "" ? name : `${path}.${name}`;
  }, where);
}

const inside = (path: string, name: unknown): string => (path === "" ? String(name) : `${path}.${String(name)}`);
const listOf = (values: unknown): string =>
  (Array.isArray(values) ? values : [values]).map((value) => JSON.stringify(value)).join(", ");

/** One fault in words. */
function renderFault({ keyword, params, instancePath, message }: ErrorObject, where: string): string {
  const path = renderPath(instancePath, where);
  const name = path === "" ? "the document" : path;
  switch (keyword) {
    case "required":
      return `${inside(path, params.missingProperty)} is missing`;
    case "additionalProperties":
      return `${inside(path, params.additionalProperty)} is not allowed`;
    case "false schema":
      return `${name} is not allowed`;
    case "type":
      return `${name} is no ${(Array.isArray(params.type) ? params.type : [params.type]).join(" or ")}`;
    case "const":
      return `${name} is not ${listOf([params.allowedValue])}`;
    case "enum":
      return `${name} is none of ${listOf(params.allowedValues)}`;
    case "pattern":
      return `${name} does not match ${params.pattern}`;
    case "oneOf":
      return `${name} does not fit exactly one of the forms it may have`;
    default:
      return `${name} ${message ?? "does not follow the schema"}`;
  }
}

/** Made when first needed: most runs of the binary audit nothing. */
let ajv: Ajv | undefined;
/** By the schema's text: compiling one costs more than all else, and a node's documents repeat each. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

function compile(schema: object | boolean): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  ajv ??= new Ajv({ strict: false, addUsedSchema: false, logger: false, ownProperties: true });
  const validate = ajv.compile(schema);
  // Ajv keeps what it has compiled by the object for ever; this cache has a bound.
  if (typeof schema === "object") ajv.removeSchema(schema);
  compiled.set(text, validate);
  return validate;
}

/**
 * The first thing in a value that does not follow a JSON Schema (draft 2020-12), in words; null when it follows. A
 * schema that is itself broken is a fault too: nothing can be said to follow it.
 */
export function findSchemaFault(
  schema: unknown,
  value: unknown,
  { where }: SchemaPlace = { where: "" },
): string | null {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema))) {
    return null;
  }
  try {
    const validate = compile(schema);
    if (validate(value)) return null;
    const [first] = validate.errors ?? [];
    return first ? renderFault(first, where) : "it does not follow the schema";
  } catch (error) {
    if (error instanceof Error) return `the schema cannot be used: ${error.message.slice(0, 200)}`;
    throw error;
  }
}
