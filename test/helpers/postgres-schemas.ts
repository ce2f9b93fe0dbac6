import { SQL } from "bun";

/**
 * A schema for each ledger of a test. Making one takes 200 ms, emptying one 5: after a test its schemas are used again.
 */
export function createSchemas(url: string) {
  const admin = new SQL(url, { max: 1 });
  const used = new Map<string, string>();
  const spare: string[] = [];
  let made = 0;

  /** Tables only: triggers, which would refuse it, do not run for a replica. */
  async function empty(schema: string): Promise<void> {
    const tables = await admin.unsafe(
      `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename NOT IN ('schema_history', 'lanes')`,
    );
    const deletes = tables.map(({ tablename }: { tablename: string }) => `DELETE FROM ${schema}.${tablename};`);
    await admin.unsafe(
      `SET session_replication_role = replica; ${deletes.join(" ")}
       UPDATE ${schema}.lanes SET last_us = lane;
       ALTER SEQUENCE ${schema}.keys_id_seq RESTART; ALTER SEQUENCE ${schema}.grants_id_seq RESTART;`,
    );
  }

  return {
    /** The address of the ledger that stands for a file. */
    async of(file: string): Promise<string> {
      let schema = used.get(file);
      if (schema === undefined) {
        schema = spare.pop() ?? `books_${process.pid}_${made++}`;
        used.set(file, schema);
      }
      return `${url}?schema=${schema}`;
    },
    /** Runs a statement on the ledger of a file, past all commands. */
    async run(file: string, sql: string): Promise<unknown[]> {
      const schema = used.get(file);
      if (schema === undefined) throw new Error(`${file} was never opened`);
      await admin.unsafe(`SET search_path = ${schema}; SET session_replication_role = DEFAULT`);
      return [...(await admin.unsafe(sql))];
    },
    /** After a test. @param spoiled the files whose tables are not what they were. */
    async release(spoiled: ReadonlySet<string>): Promise<void> {
      for (const [file, schema] of used) {
        if (spoiled.has(file)) continue;
        await empty(schema);
        spare.push(schema);
      }
      used.clear();
    },
  };
}
