/** One file of a package, by its path below `deploy/packages`. */
export interface PackageFile {
  readonly path: string;
  readonly content: string;
}
