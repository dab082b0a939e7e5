// Optional peers that only development needs. With those of Prisma's client, which are for its code generator, the
// production dependencies of every service would hold Prisma's command line, TypeScript and what those need: 300 MB.
const peersOfDevelopment = new Map([
  ["@prisma/client", ["prisma", "typescript"]],
  ["sharp", ["@types/node"]],
]);

function readPackage(manifest) {
  for (const peer of peersOfDevelopment.get(manifest.name) ?? []) {
    delete manifest.peerDependencies?.[peer];
    delete manifest.peerDependenciesMeta?.[peer];
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
