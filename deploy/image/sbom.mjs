// Writes the software bill of materials of an image: node sbom.mjs <folder of the package> <file>
// CycloneDX 1.6, as scanners such as Trivy and Grype read it: every package that the folder holds, with its version and licence.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , folder, file] = process.argv;
const store = join(folder, "node_modules", ".pnpm");
const components = new Map();
for (const entry of readdirSync(store).filter((name) => name.includes("@", 1))) {
  for (const path of packagesOf(join(store, entry, "node_modules"))) {
    const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    // A folder without them is a part of a package.
    if (name === undefined || version === undefined) continue;
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = typeof license === "string" ? { licenses: [{ expression: license }] } : {};
    components.set(purl, { type: "library", "bom-ref": purl, name, version, purl, ...licenses });
  }
}
const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: { type: "application", "bom-ref": name, name, ...(version === undefined ? {} : { version }) },
  },
  components: [...components.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
};
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);

/** The packages of a folder itself; the links beside them are its dependencies, which have entries of their own. */
function packagesOf(modules) {
  const found = readdirSync(modules, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return found.flatMap((entry) =>
    entry.name.startsWith("@")
      ? packagesOf(join(modules, entry.name))
      : entry.name === ".bin"
        ? []
        : [join(modules, entry.name)],
  );
}
