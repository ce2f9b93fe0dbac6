import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import type { Rendered, Surface, SurfaceModel } from "../surfaces/types.ts";
import { readAccept } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { type Responder, respondAs } from "./respond.ts";

/** One form of a document, ready to be sent. */
export interface KeptSurface {
  /** Media type without its parameters. */
  readonly type: string;
  readonly plain: Coded;
  /** Null where packing gains nothing. */
  readonly packed: Coded | null;
}

/** The bytes of one content coding: other bytes, so another strong ETag. */
interface Coded {
  readonly etag: string;
  /** Sent as it is: bytes would be copied for every answer. */
  readonly body: Blob;
  readonly headers: Headers;
}

export interface Surfaces {
  readonly routes: readonly FreeRoute[];
  /** From now on all documents are rendered from a new model, each with its first request. */
  refresh(): void;
  /** What they are rendered from. */
  model(): SurfaceModel;
}

/** Shorter bodies are sent as they are: packing saves no packet. */
const PACKED_FROM_BYTES = 1_000;
/** Pictures that are packed already, and tiles of hashes. */
const INCOMPRESSIBLE: readonly string[] = ["image/png", "application/octet-stream"];
/** What follows from the catalog changes only with it. */
export const CACHE = "public, max-age=300";

/**
 * Serves every surface with ETag and gzip, from memory. All documents of one model say the same, whenever each is
 * rendered; most starts are asked for few of them.
 */
export function createSurfaces(
  surfaces: readonly Surface[],
  createModel: () => SurfaceModel,
  responder: Responder,
): Surfaces {
  const kept = new Map<string, readonly KeptSurface[]>();
  // Made with the first request that needs it: no start waits for it.
  let made: SurfaceModel | null = null;
  const getModel = (): SurfaceModel => {
    made ??= createModel();
    return made;
  };
  const refresh = () => {
    made = null;
    kept.clear();
  };
  const formsOf = (surface: Surface): readonly KeptSurface[] => {
    const known = kept.get(surface.path);
    if (known) return known;
    const model = getModel();
    const forms = surface.isServed?.(model) === false ? [] : surface.render(model);
    const list = Array.isArray(forms) ? (forms as readonly Rendered[]) : [forms as Rendered];
    const { settled } = model;
    const rendered = list.map((form) => keep(form, responder, { negotiated: list.length > 1, settled }));
    kept.set(surface.path, rendered);
    return rendered;
  };

  /** Further forms that a surface hands out more than once are packed once. */
  const packed = new WeakMap<Rendered, KeptSurface>();
  const keepForm = (form: Rendered): KeptSurface => {
    const known = packed.get(form) ?? keep(form, responder, { negotiated: false, settled: getModel().settled });
    packed.set(form, known);
    return known;
  };

  const atOnce = (surface: Surface, request: Request, request_id: string): Response => {
    const forms = formsOf(surface);
    const [main] = forms;
    if (!main) throw new NodeError("not_found", "This node does not serve this document.");
    return send(forms.length === 1 ? main : choose(forms, request.headers.get("accept")), request, request_id);
  };
  const handlerOf = (surface: Surface): Handler => {
    const handler = ({ request, request_id, search }: HTTPCall) => {
      const special =
        search !== "" && surface.answer && formsOf(surface).length > 0
          ? surface.answer(new URLSearchParams(search), getModel())
          : null;
      return special ? send(keepForm(special), request, request_id) : atOnce(surface, request, request_id);
    };
    return Object.assign(handler, {
      atOnce: (request: Request, request_id: string) => atOnce(surface, request, request_id),
    });
  };
  const routes = surfaces.map(
    (surface): FreeRoute => ({ path: surface.path, methods: ["GET"], handler: handlerOf(surface) }),
  );
  return { routes, refresh, model: getModel };
}

const digestOf = (bytes: Uint8Array): string => `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;

/** Prepares a document for `send`: ETag, digest of the bytes, headers, gzip. */
export function keep(
  { content_type, body, headers: own = {} }: Rendered,
  responder: Responder,
  { negotiated = false, settled = true }: { readonly negotiated?: boolean; readonly settled?: boolean } = {},
): KeptSurface {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const tag = sha256Hex(bytes).slice(0, 24);
  const [etag, packed_etag] = [`"${tag}"`, `"${tag}-gzip"`];
  const vary = negotiated ? "Accept, Accept-Encoding" : "Accept-Encoding";
  const headers = responder.headers({
    "Content-Type": content_type,
    "Cache-Control": CACHE,
    ETag: etag,
    "Repr-Digest": digestOf(bytes),
    Vary: vary,
    ...own,
    // While no facilitator has answered it lists no network: nobody shall keep that.
    ...(settled ? {} : { "Cache-Control": "no-store" }),
  });
  const packable = bytes.length >= PACKED_FROM_BYTES && !INCOMPRESSIBLE.includes(content_type);
  const packed_body = packable ? new Uint8Array(gzipSync(bytes, { level: 9 })) : null;
  const packed_headers = new Headers(headers);
  packed_headers.set("Content-Encoding", "gzip");
  packed_headers.set("ETag", packed_etag);
  // A digest of the representation is one of the bytes as they are coded (RFC 9530).
  if (packed_body) packed_headers.set("Repr-Digest", digestOf(packed_body));
  return {
    type: mediaType(content_type),
    plain: { etag, body: new Blob([bytes]), headers },
    packed: packed_body ? { etag: packed_etag, body: new Blob([packed_body]), headers: packed_headers } : null,
  };
}

/** Sends a document as the request wants it: 304, gzip, HEAD. */
export function send(form: KeptSurface, request: Request, request_id: string): Response {
  const { headers: asked } = request;
  const { body, headers, etag } = form.packed && takesGzip(asked.get("accept-encoding")) ? form.packed : form.plain;
  const unchanged = isUnchanged(asked.get("if-none-match"), etag);
  const content = unchanged || request.method === "HEAD" ? null : body;
  return respondAs(request_id, content, { status: unchanged ? 304 : 200, headers });
}

const mediaType = (text: string): string => (text.split(";")[0] ?? "").trim().toLowerCase();

export const takesGzip = (header: string | null): boolean =>
  header !== null && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(header);

/** The form Accept likes best; the default without a preference. */
function choose(forms: readonly KeptSurface[], header: string | null): KeptSurface {
  const [main] = forms as readonly [KeptSurface, ...KeptSurface[]];
  const qualityOf = readAccept(header);
  if (qualityOf === null) return main;
  return forms.reduce((best, form) => (qualityOf(form.type) > qualityOf(best.type) ? form : best), main);
}

/** If-None-Match as RFC 9110 has it: "*", or a list of tags compared weakly. */
const isUnchanged = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.length < 2_000 &&
  (header === etag || header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag));
