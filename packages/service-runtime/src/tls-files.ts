import { readFileSync } from "node:fs";

const parameters = { cert: "sslcert", key: "sslkey", ca: "sslrootcert" } as const;

/** Files in PEM: our certificate, its key, and the authorities that may have signed the server's. */
export type TlsFiles = { readonly [name in keyof typeof parameters]?: string };

/**
 * The paths of the files that a URL names as those of PostgreSQL do: `?sslcert=…&sslkey=…` for a server that demands a
 * certificate, `sslrootcert` instead of the authorities that Node.js trusts.
 *
 * @throws Error in one line when one of them cannot be read
 */
export function tlsFilesOf({ searchParams }: URL): TlsFiles {
  const files: TlsFiles = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const path = searchParams.get(parameter);
      return path === null ? [] : [[name, path]];
    }),
  );
  readTlsFiles(files);
  return files;
}

/** The present content of such files. */
export function readTlsFiles(files: TlsFiles): TlsFiles {
  return Object.fromEntries(Object.entries(files).map(([name, path]) => [name, readTlsFile(path)]));
}

function readTlsFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Error(`The file ${path} for TLS cannot be read${code}`);
  }
}
