/** Files that are embedded as text: `import sql from "./001.sql" with { type: "text" }`. */
declare module "*.sql" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
/** Files that are embedded as they are: `import path from "./icon.png" with { type: "file" }` gives a path to read. */
declare module "*.png" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}
declare module "*.woff2" {
  const path: string;
  export default path;
}
declare module "*.ico" {
  const path: string;
  export default path;
}
