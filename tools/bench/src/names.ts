import { readdirSync } from "node:fs";

/** The sources, as a benchmark that was removed may still be there as it was built. */
export const benchNames = readdirSync(new URL("../src/benches", import.meta.url)).map((file) =>
  file.replace(/\.ts$/, ""),
);
