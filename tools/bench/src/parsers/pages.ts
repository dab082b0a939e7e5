import type { ServerResponse } from "node:http";
import { exchange, filled, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

const mebibyte = 1024 * 1024;
const htmlType = "text/html; charset=utf-8";
const gifPath = "/v1/gifs/search";

/** Pages of 1 MB for previews. */
const pages: Readonly<Record<string, string>> = {
  "one element nested 350,000 times": filled(mebibyte, "<title>t</title>", "<b>"),
  "an element with attributes, nested": filled(mebibyte, "<title>t</title>", "<div a=b c>"),
  "heads in heads": filled(mebibyte, "<title>t</title>", "<head>"),
  "elements that are closed and were not open": filled(mebibyte, `<title>t</title>${"<i>".repeat(300)}`, "</u>"),
  "names of elements of 1 MB": filled(mebibyte, "<title>t</title><", "x"),
  "a title of 1 MB": filled(mebibyte, "<title>", " e"),
  "metadata of 1 MB": filled(mebibyte, '<meta property="og:title" content="', " x", '">'),
  "30,000 <meta> elements": filled(mebibyte, "<title>t</title>", "<meta property=og:title content=a>"),
  "attributes of one <meta>": filled(mebibyte, "<title>t</title><meta ", "content=a "),
  "character references": filled(mebibyte, "<title>t</title>", "&amp&#x0000000000000041;&notit;"),
  "ends of scripts that are none": filled(mebibyte, "<title>t</title><script>", "</script"),
  "comments of dashes": filled(mebibyte, "<title>t</title><!--", "--!"),
};

export function pageInputs(world: ParserWorld): HostileInput[] {
  const send = (response: ServerResponse, type: string, body: string | Buffer) => {
    response.writeHead(200, { "Content-Type": type }).end(body);
  };
  return [
    ...Object.entries(pages).map(([input, page]) =>
      preview(world, input, Buffer.byteLength(page), (response) => send(response, htmlType, page)),
    ),
    ...["gb18030", "iso-2022-jp", "utf-16le"].map((encoding) =>
      preview(world, `1 MB of ${encoding}`, mebibyte, (response) =>
        send(response, `text/html; charset=${encoding}`, Buffer.alloc(mebibyte, 0x81)),
      ),
    ),
    preview(world, "1 MB in chunks of one byte", mebibyte, (response) => sendChunks(response, htmlType, mebibyte)),
    preview(world, "a head of 16 KB", 16_000, (response) => {
      response.writeHead(200, { "Content-Type": `text/html;${" charset".repeat(1_800)}` }).end("<title>t</title>");
    }),
    ...gifInputs(world),
  ];
}

/** A preview of a page that is new each time, because the api caches its results. */
function preview(
  { services, headers, web }: ParserWorld,
  input: string,
  bytes: number,
  answer: (response: ServerResponse) => void,
): HostileInput {
  return {
    parser: "page of a link preview",
    input,
    service: "api",
    bytes,
    send: () => {
      const url = encodeURIComponent(web.publish(answer));
      return exchange(services.api, requestBytes(`GET /link-preview?url=${url}`, headers));
    },
  };
}

/** Each chunk is a write of its own for the parser, and of one segment with others for the network. */
export function sendChunks(response: ServerResponse, type: string, count: number): void {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  response.socket?.end(`${head}${"1\r\n<\r\n".repeat(count)}0\r\n\r\n`);
}

function gifInputs({ services, headers, web }: ParserWorld): HostileInput[] {
  const answers: Readonly<Record<string, string>> = {
    "entries of another form": `{"data":[${"{},".repeat(330_000)}{}]}`,
    "arrays in arrays": `{"data":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
    "one entry with 100,000 names": `{"data":[{${Array.from({ length: 80_000 }, (_, n) => `"${n}k":1`).join(",")}}]}`,
    "a string of escapes": `{"data":[],"meta":"${"\\u0041".repeat(170_000)}"}`,
  };
  return Object.entries(answers).map(([input, text]) => ({
    parser: "answer of the provider of GIFs",
    input,
    service: "api",
    bytes: text.length,
    send: () => {
      web.publish((response) => response.writeHead(200, { "Content-Type": "application/json" }).end(text), gifPath);
      return exchange(services.api, requestBytes("GET /giphy/search?q=a", headers));
    },
  }));
}
