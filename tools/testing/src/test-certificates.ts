import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freshFolder } from "./test-servers.js";

/** An authority of the test's own, and certificates that it has signed: files in PEM. */
export interface TestCertificates {
  readonly authority: string;
  /** For `localhost` and 127.0.0.1. */
  readonly server: { readonly cert: string; readonly key: string };
  /** For clients that connect, with the name `parley`. */
  readonly client: { readonly cert: string; readonly key: string };
  /** The parameters of a URL that presents the client's certificate and trusts the authority. */
  readonly parameters: string;
}

export async function makeCertificates(): Promise<TestCertificates> {
  const folder = freshFolder("certificates");
  await mkdir(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  const run = (...args: string[]) => promisify(execFile)("openssl", args);
  const [authority, authorityKey] = [file("ca.pem"), file("ca.key")];
  const fresh = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  await run(...fresh, "-keyout", authorityKey, "-out", authority, "-subj", "/CN=authority");
  const make = async (name: string, subject: string, ...extensions: string[]) => {
    const [cert, key] = [file(`${name}.pem`), file(`${name}.key`)];
    const signed = ["-CA", authority, "-CAkey", authorityKey, "-keyout", key, "-out", cert];
    await run(...fresh, ...signed, "-subj", subject, "-addext", "basicConstraints=critical,CA:FALSE", ...extensions);
    return { cert, key };
  };
  const server = await make("server", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1");
  const client = await make("client", "/CN=parley");
  const parameters = new URLSearchParams({ sslcert: client.cert, sslkey: client.key, sslrootcert: authority });
  return { authority, server, client, parameters: String(parameters) };
}
