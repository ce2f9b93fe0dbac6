/** Page of the reference about one product: of its own, so that no link moves when products are added. */
export const docsPath = ({ path }: { readonly path: string }): string => `/docs${path}`;
