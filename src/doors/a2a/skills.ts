import { Type } from "@sinclair/typebox";
import type { Catalog, CatalogProduct } from "../../catalog/catalog.ts";
import type { ParsedParams } from "../../catalog/params.ts";
import { asksForPreview, readSwitch } from "../../catalog/sent-values.ts";
import { closest } from "../../core/closest.ts";
import { isNodeError, type NodeError } from "../../core/errors.ts";
import { parseBoundedJSON } from "../../core/json-cost.ts";
import { createReader } from "../../payments/codec.ts";
import { RPCError } from "./protocol.ts";
import type { TaskPart, Wanted } from "./task.ts";

/** A request for a product, ready to be sold. */
export interface Request {
  readonly product: CatalogProduct;
  readonly params: ParsedParams;
  readonly preview: boolean;
}

export interface Skills {
  /**
   * What a message asks for, or null when it asks for nothing.
   * @param follows whether it belongs to a task already: then its text may be mere words.
   * @throws RPCError invalid_params
   */
  find(parts: readonly TaskPart[], follows: boolean): Wanted | null;
  /** @throws RPCError invalid_params, with the error the product's own path would give. */
  read(wanted: Wanted): Request;
}

const LINE = /^\s*(GET|POST)\s+(\S+)(?:\s+(\{.*\}))?\s*$/s;
const readSkill = createReader(
  Type.Object(
    {
      skill: Type.String({ maxLength: 200 }),
      params: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
    },
    { additionalProperties: false },
  ),
);
const readBody = createReader(Type.Record(Type.String(), Type.Unknown()));

const HOW = 'Send a data part {"skill": id, "params": {…}}, or one of the skill\'s examples as text.';

const skillOf = ({ id }: Pick<CatalogProduct, "id">): string => id.replaceAll(/[/-]/g, "_");

/** Finds products by skill id or by the line of an example, and reads their parameters as their own path does. */
export function createSkills(catalog: Catalog, public_url: string): Skills {
  const by_id = new Map(catalog.products.map((product) => [skillOf(product), product]));
  const off_by_id = new Map(catalog.off.map((one) => [skillOf(one.product), one]));

  const fromData = (data: Readonly<Record<string, unknown>>): Wanted => {
    const read = readSkill(data);
    if (!read) throw new RPCError("invalid_params", `A data part holds skill and params, nothing else. ${HOW}`);
    const product = by_id.get(read.skill);
    if (!product) {
      const off = off_by_id.get(read.skill);
      if (off) throw asInvalidParams(off.refuse());
      const nearest = closest(read.skill, by_id.keys());
      const hint = nearest ? ` Did you mean "${nearest}"?` : "";
      const message = `No skill "${read.skill.slice(0, 60)}" is sold here.${hint}`;
      throw new RPCError("invalid_params", message, { code: "not_found", ...(nearest ? { nearest } : {}) });
    }
    const { preview, ...body } = read.params ?? {};
    return { product: product.id, given: { body }, preview: readPreview(preview) };
  };

  const fromLine = (text: string): Wanted => {
    const [, method = "", target = "", json] = LINE.exec(text) ?? [];
    const local = target.startsWith(`${public_url}/`) ? target.slice(public_url.length) : target;
    const [path = "", query = "", ...more] = local.split("?");
    const product = catalog.get(path);
    const off = product ? undefined : catalog.findOff(path);
    if (off) throw asInvalidParams(off.refuse());
    if (!product || more.length > 0 || query.includes("#")) {
      const message = `"${method} ${target.slice(0, 100)}" is not the address of a product here. ${HOW}`;
      throw new RPCError("invalid_params", message, { code: "not_found" });
    }
    if (!product.methods.some((one) => one === method)) {
      throw new RPCError("invalid_params", `${path} takes ${product.methods.join(" and ")}.`, {
        code: "method_not_allowed",
      });
    }
    if (method === "GET") {
      if (json !== undefined) throw new RPCError("invalid_params", "A GET line has no body.");
      return { product: product.id, given: { query }, preview: asksForPreview(query) };
    }
    const preview = asksForPreview(query) && new URLSearchParams(query).size === 1;
    if (query !== "" && !preview) throw new RPCError("invalid_params", "A POST line has its parameters in its body.");
    return { product: product.id, given: { body: parseBody(json ?? "{}") }, preview };
  };

  return {
    find(parts, follows) {
      const found = parts.flatMap((part) => {
        if ("data" in part) return follows && !("skill" in part.data) ? [] : [fromData(part.data)];
        return LINE.test(part.text) ? [fromLine(part.text)] : [];
      });
      const [wanted, ...others] = found;
      if (others.length > 0) throw new RPCError("invalid_params", "A message asks for one skill; this one for more.");
      return wanted ?? null;
    },
    read({ product: id, given, preview }) {
      const product = catalog.get(`/${id}`);
      const off = product ? undefined : catalog.findOff(`/${id}`);
      if (off) throw asInvalidParams(off.refuse());
      if (!product) throw new RPCError("invalid_params", `/${id} is no longer sold here.`, { code: "not_found" });
      const { params } = product;
      try {
        return {
          product,
          preview,
          params: "query" in given ? params.fromQuery(given.query) : params.fromBody(given.body),
        };
      } catch (error) {
        throw isNodeError(error) ? asInvalidParams(error) : error;
      }
    },
  };
}

/** Nothing that could be sold was asked for. */
export const nothingAsked = () => new RPCError("invalid_params", `This asks for no skill. ${HOW}`);

/** A wrong parameter, or a product that is off sale, as JSON-RPC says it; the details are those of the HTTP answer. */
export const asInvalidParams = (error: NodeError): RPCError => new RPCError("invalid_params", error.message, {}, error);

/** @throws RPCError */
function readPreview(value: unknown): boolean {
  try {
    return readSwitch("preview", value);
  } catch (error) {
    throw isNodeError(error) ? asInvalidParams(error) : error;
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body = readBody(parseBoundedJSON(new TextEncoder().encode(text)));
    if (body) return body;
  } catch (error) {
    throw new RPCError("invalid_params", "The body of the POST line is not valid JSON.", { cause: String(error) });
  }
  throw new RPCError("invalid_params", "The body of the POST line must be a JSON object.");
}
