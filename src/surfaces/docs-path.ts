/** Page of the reference about one product: a separate one, so that no link moves when products are added. */
export const docsPath = ({ path }: { readonly path: string }): string => `/docs${path}`;

/** The page of a product that answers 200, for links and crawlers; its own path answers 402. */
export const productPagePath = ({ path }: { readonly path: string }): string => `/p${path}`;
