// The optional peers of Prisma's client are for its code generator. With them, the production dependencies of every
// service would hold Prisma's command line, TypeScript and what those need: 300 MB.
const peersOfTheGenerator = ["prisma", "typescript"];

function readPackage(manifest) {
  if (manifest.name !== "@prisma/client") return manifest;
  for (const peer of peersOfTheGenerator) {
    delete manifest.peerDependencies?.[peer];
    delete manifest.peerDependenciesMeta?.[peer];
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
