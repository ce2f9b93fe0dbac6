/** What is used of the package, which has no types. */
declare module "nodemailer" {
  export function createTransport(options: Readonly<Record<string, unknown>>): {
    sendMail(mail: Readonly<Record<string, string | undefined>>): Promise<unknown>;
    close(): void;
  };
}
