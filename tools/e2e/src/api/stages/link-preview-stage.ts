import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { LinkPreview } from "@parley/contracts";
import { previewedAddress, type RestClient, type SharedStack } from "@parley/testing";

/** The answer of a page of {@link startPages}. */
export type Answering = (response: ServerResponse, request: IncomingMessage) => void;

export const htmlType = "text/html; charset=utf-8";

export const redirectTo =
  (location: string): Answering =>
  (response) => {
    response.writeHead(302, { Location: location });
    response.end();
  };

/** A stack whose apis may read the pages of a web server at the address that may be previewed. */
export async function startPreviewStage(stack: SharedStack) {
  const web = await startPages();
  return { stack, web, close: web.close };
}

export type PreviewStage = Awaited<ReturnType<typeof startPreviewStage>>;

/** Asks for a preview as a user. */
export const askPreview = (url: string, user: RestClient) => user.get(`/link-preview?url=${encodeURIComponent(url)}`);

/** The preview that a user gets. */
export const previewFor = async (url: string, user: RestClient) =>
  (await askPreview(url, user)).expect(200, LinkPreview.strict());

/** A web server on every address of this machine, whose pages a test publishes; others are missing. */
export async function startPages() {
  const pages = new Map<string, Answering>();
  const asked: { path: string; at: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push({ path, at: request.socket.localAddress });
    const answer = pages.get(path);
    if (answer !== undefined) return answer(response, request);
    response.statusCode = 404;
    response.end();
  });
  server.listen(0, "::");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const base = `http://${previewedAddress}:${port}`;
  const timesAsked = (url: string) => asked.filter(({ path }) => path === new URL(url).pathname).length;
  /** Puts a page at an address of its own, which is returned. */
  const publish = (answer: string | Buffer | Answering, contentType = htmlType): string => {
    // The apis cache pages: so no address comes twice, whichever port a server gets.
    const path = `/page-${crypto.randomUUID()}`;
    const send: Answering = (response) => {
      response.setHeader("Content-Type", contentType);
      response.end(answer);
    };
    pages.set(path, typeof answer === "function" ? answer : send);
    return `${base}${path}`;
  };
  return {
    port,
    base,
    /** By path. */
    pages,
    /** Paths that were asked for, and the address of this machine that was dialled. */
    asked,
    timesAsked,
    publish,
    /** Publishes a page that is answered when the test says so. */
    hold(title: string) {
      const waiting: ServerResponse[] = [];
      const url = publish((response) => void waiting.push(response));
      const release = () => {
        for (const response of waiting.splice(0)) {
          response.writeHead(200, { "Content-Type": htmlType });
          response.end(`<title>${title}</title>`);
        }
      };
      const isGivenUp = () => waiting.length > 0 && waiting.every(({ closed }) => closed);
      return { url, release, isAsked: () => timesAsked(url) > 0, isGivenUp };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Pages that yield no preview. */
export const brokenPages: [string, Answering][] = [
  ["a page that is missing", (response) => response.writeHead(404, { "Content-Type": htmlType }).end("<title>no")],
  ["a file of another type", (response) => response.writeHead(200, { "Content-Type": "image/png" }).end("x")],
  ["a page without a type", (response) => response.end("<title>x</title>")],
  [
    "a compressed page that was not asked for",
    (response) =>
      response.writeHead(200, { "Content-Type": htmlType, "Content-Encoding": "gzip" }).end(gzipSync("<title>x")),
  ],
  ["a redirect to another scheme", redirectTo("ftp://example.com/")],
  ["a redirect to nowhere", redirectTo("http://[")],
  ["a broken connection", (response) => void response.socket?.destroy()],
  [
    "a page that breaks off",
    (response) => {
      response.writeHead(200, { "Content-Type": htmlType, "Content-Length": 100 });
      response.write("<title>x</title>", () => response.socket?.destroy());
    },
  ],
  [
    "endless headers",
    (response) => {
      response.writeHead(200, { "Content-Type": htmlType, "X-Long": "x".repeat(20_000) });
      response.end();
    },
  ],
];
