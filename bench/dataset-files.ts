import { zipSync } from "fflate";

/** The files that datasets of the benchmark are made of: a 25 MB XML, a 14 MB CSV in latin1 in a ZIP, a 16 MB JSON. */
export const NOTE = "Registered office at the harbour, licence renewed after review, see the decision of the board";
/** Rows of about 170 bytes until the text is as long as wanted. */
function fill(bytes: number, render: (id: number) => string): string {
  const parts: string[] = [];
  for (let id = 1, size = 0; size < bytes; id += 1) {
    const row = render(id);
    parts.push(row);
    size += row.length;
  }
  return parts.join("");
}
const nameOf = (id: number) => `Companhia São ${id} & Irmãos`;
const escapedOf = (id: number) => nameOf(id).replace("&", "&amp;");
const xmlOf = (id: number) =>
  `<entry id="${id}"><name>${escapedOf(id)}</name><country>BR</country><note>${NOTE}</note></entry>\n`;
const csvOf = (id: number) => `${id};"${nameOf(id)}";BR;${NOTE}\n`;
const jsonOf = (id: number) =>
  `${id === 1 ? "" : ","}${JSON.stringify({ id, name: nameOf(id), country: "BR", note: NOTE })}`;
const CSV = Buffer.from(`id;name;country;note\n${fill(14e6, csvOf)}`, "latin1");
const bodies: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "/list.xml": new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?><list>${fill(25e6, xmlOf)}</list>`),
  "/list.zip": new Uint8Array(zipSync({ "list.csv": CSV })),
  "/list.json": new TextEncoder().encode(`[${fill(16e6, jsonOf)}]`),
};

/** Serves them on loopback. */
export const serveFiles = () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => new Response(bodies[new URL(request.url).pathname] ?? "none", { status: 200 }),
  });
