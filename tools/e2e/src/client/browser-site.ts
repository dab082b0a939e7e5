import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { type Browser, type Page, startChromium } from "@parley/testing";
import { installPackedClient } from "./packed-client.js";

/** A site whose pages use the packed client, and a browser that visits it. */
export interface BrowserSite {
  /** For ALLOWED_ORIGINS. */
  readonly origin: string;
  /** A window of its own: nothing is shared with pages of other windows. */
  readonly openWindow: () => Promise<BrowserWindow>;
  readonly close: () => Promise<void>;
}

/** Tabs that share localStorage and locks. */
export interface BrowserWindow {
  /**
   * A page with the client's exports as `parley`. An uncaught error of the page fails the test that closes it.
   *
   * @param entry the module of the package: as it is, or minified
   */
  readonly openTab: (entry?: "index.js" | "parley-client.min.js") => Promise<Page>;
}

const page = (entry: string) => `<!doctype html><title>Parley</title>
<script type="module">
  import * as parley from "/dist/${entry}";
  globalThis.parley = parley;
</script>`;

/** Serves the files of the package, as a web server would serve an application that uses it. */
export async function startBrowserSite(): Promise<BrowserSite> {
  const installed = join(await installPackedClient(), "node_modules", "@parley", "client");
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/") {
      const entry = searchParams.get("entry") ?? "index.js";
      return void response.setHeader("content-type", "text/html").end(page(entry));
    }
    void readFile(join(installed, pathname)).then(
      (bytes) => response.setHeader("content-type", "text/javascript").end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  const origin = `http://127.0.0.1:${address.port}`;
  const browser: Browser = await startChromium();
  const failures: Error[] = [];
  return {
    origin,
    async openWindow() {
      const context = await browser.newContext();
      context.on("weberror", (error) => failures.push(error.error()));
      return {
        async openTab(entry = "index.js") {
          const tab = await context.newPage();
          await tab.goto(`${origin}/?entry=${entry}`);
          await tab.waitForFunction("globalThis.parley !== undefined");
          return tab;
        },
      };
    },
    async close() {
      await browser.close();
      server.close();
      if (failures.length > 0) throw new AggregateError(failures, "Pages threw");
    },
  };
}
