import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";

// The service worker is one script without imports, built after the page (vite.config.ts), as it has a list of its files.

const folder = join(import.meta.dirname, "dist");

/**
 * The files of this version that the browser keeps. The page is the only one whose name says nothing about its contents:
 * while an installation is being updated its servers may answer with another one, which the browser then refuses.
 */
function filesOfVersion() {
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, "index.html")))
    .digest("base64");
  const assets = readdirSync(join(folder, "assets")).filter((name) => /\.(?:js|css)$/.test(name));
  return [
    { url: "/app/index.html", revision: hash, integrity: `sha256-${hash}` },
    ...assets.sort().map((name) => ({ url: `/app/assets/${name}`, revision: null })),
  ];
}

export default defineConfig(({ command }) => ({
  define: command === "build" ? { "self.__WB_MANIFEST": JSON.stringify(filesOfVersion()) } : {},
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    rolldownOptions: {
      input: join(import.meta.dirname, "src", "worker", "worker.ts"),
      output: { format: "iife", entryFileNames: "sw.js" },
    },
  },
}));
