/** Files that are embedded as text: `import sql from "./001.sql" with { type: "text" }`. */
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
