// Packs the built client library for /docs/parley-client.tgz. The same files always make the same bytes, so a lockfile that
// holds their hash stays valid.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";

const client = fileURLToPath(new URL("../../packages/client", import.meta.url));
const folder = fileURLToPath(new URL("generated/", import.meta.url));
mkdirSync(folder, { recursive: true });
const args = ["pack", client, "--json", "--ignore-scripts", "--pack-destination", folder];
const [{ filename }] = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }));
renameSync(`${folder}/${filename}`, `${folder}/parley-client.tgz`);
