export {};

/** The floor: a bare Bun.serve function that answers JSON. */
const body = { message: "hello", numbers: [1, 2, 3] };
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(body) });
console.log(server.port);
