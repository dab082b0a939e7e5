import { join } from "node:path";
import { pathToFileURL } from "node:url";

const client = "packages/client/dist/index.js";
const root = join(import.meta.dirname, "..", "..", "..", "..");

/** The tour of the README as somebody pastes it, against another address than that of `npm start` and from any folder. */
export function tourOf(readme: string, url: string): string {
  const [, tour = ""] = /<!-- tour -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const usualAddress = 'const base = "http://localhost:8080";';
  const usualClient = `from "./${client}";`;
  if (!tour.includes(usualAddress) || !tour.includes(usualClient)) {
    throw new Error(`The README has no tour of http://localhost:8080 with ./${client}.`);
  }
  return tour
    .replace(usualAddress, `const base = ${JSON.stringify(url)};`)
    .replace(usualClient, `from ${JSON.stringify(pathToFileURL(join(root, client)).href)};`);
}
