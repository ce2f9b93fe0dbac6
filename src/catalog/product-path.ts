export type ProductPath = `/${string}`;
export type ProductMethod = "GET" | "POST";
