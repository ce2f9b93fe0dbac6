import { Elysia } from "elysia";

/**
 * The honest peer: a bare Elysia route that answers with the status, the bytes and the headers that another server
 * answers with. Arguments: URLs; each is served under its own path.
 */
const app = new Elysia();
for (const url of process.argv.slice(2)) {
  const answer = await fetch(url);
  const body = await answer.text();
  const headers = new Headers(answer.headers);
  // Set by whoever sends, in both servers.
  for (const name of ["date", "content-length", "transfer-encoding", "connection"]) headers.delete(name);
  const { status } = answer;
  app.get(new URL(url).pathname, () => new Response(body, { status, headers }));
}
app.listen({ hostname: "127.0.0.1", port: 0 });
console.log(app.server?.port);
