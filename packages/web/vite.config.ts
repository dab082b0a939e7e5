import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const source = (file: string) => join(import.meta.dirname, "src", file);

/** The build's data about its modules. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null;
}

/**
 * The imports of a module. Of lucide-react only the icons that it names: the file that the package begins with imports
 * all icons of the whole page.
 */
function importsOf(id: string, modules: Modules): string[] {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {};
  return importedIds.flatMap((imported) => {
    if (!/lucide-react\.m?js$/.test(imported)) return [imported];
    const names = /import \{([^}]*)\} from "lucide-react"/.exec(code ?? "")?.[1]?.split(",") ?? [];
    const icons = modules.getModuleInfo(imported)?.code ?? "";
    return names.flatMap((name) => {
      const file = new RegExp(`default as ${name.trim().split(" ")[0]}\\b[^}]*\\} from ["'](.*?)["']`).exec(icons)?.[1];
      return file === undefined ? [] : [join(dirname(imported), file)];
    });
  });
}

/**
 * Names the script of a module. The modules of the first load are one script, those of a logged-in user's screens
 * beside it another, and those of the layers above them a third; a module of none belongs to the parts that are loaded
 * later. Without this there would be one for each set of modules that they have in common with such a part: dozens of
 * requests at every start.
 */
function createScriptNames() {
  const names = new Map<string, string>();
  const give = (name: string, id: string, modules: Modules) => {
    if (names.has(id)) return;
    names.set(id, name);
    for (const imported of importsOf(id, modules)) give(name, imported, modules);
  };
  return (id: string, modules: Modules): string | null => {
    give("early", source("early.ts"), modules);
    give("start", source("main.tsx"), modules);
    give("screens", source("screens.tsx"), modules);
    give("overlays", source("ui/overlays/overlays.ts"), modules);
    return names.get(id) ?? null;
  };
}

/** Makes the page run `early.ts` first, with the addresses of the scripts that the screens of a logged-in user need. */
const early: Plugin = {
  name: "early",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const files = Object.keys(bundle).filter((file) => /^assets\/screens-[^.]+\.(?:js|css)$/.test(file));
      const script = Object.keys(bundle).find((file) => /^assets\/early-/.test(file));
      const screens = files.map((file) => base + file).join(" ");
      const attrs = { type: "module", async: true, src: base + script, "data-screens": screens };
      return [{ tag: "script", attrs, injectTo: "head" }];
    },
  },
};

const base = "/app/";

export default defineConfig({
  base,
  plugins: [react(), early],
  resolve: { alias: { "@lezer/highlight": source("no-highlighting.ts") } },
  build: {
    target: "es2022",
    // Script that a page would have to run inline for older browsers; the Content-Security-Policy forbids it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Else the modules of the first load would move to the script of their importers.
          includeDependenciesRecursively: false,
          groups: [{ name: createScriptNames(), debugName: "start and screens" }],
        },
      },
    },
  },
  server: {
    // `npm start` beside `pnpm --filter @parley/web dev`.
    proxy: { "/api": { target: "http://localhost:8080", ws: true } },
  },
});
