/** What is used of the package, which brings no types of its own. */
declare module "nodemailer" {
  export function createTransport(options: Readonly<Record<string, unknown>>): {
    sendMail(mail: Readonly<Record<string, string | undefined>>): Promise<unknown>;
    close(): void;
  };
}
