import { Attachment } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type ServerFixture,
  sharedStack,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";

let client: RestClient;
let stage: ServerFixture;
beforeAll(async () => {
  client = createClient((await sharedStack()).edgeUrl);
  stage = await createServerWithMembers(client, 0);
});

const script = "<script>alert(document.domain)</script>";
const page = `<!doctype html><html><body>${script}</body></html>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`;
const after = (head: string | Buffer) => Buffer.concat([Buffer.from(head), Buffer.from(page)]);

/** Types that no browser runs as a page, whatever is in the file. */
const inert =
  /^(?:image\/(?:png|jpeg|gif|webp)|video\/(?:mp4|webm)|audio\/(?:mpeg|ogg|webm)|application\/pdf|text\/plain(?:; charset=utf-8)?)$/;

test.each<[string, string, Buffer]>([
  ["a page", "page.html", Buffer.from(page)],
  ["a page that calls itself a picture", "page.png", Buffer.from(page)],
  ["a page behind blanks", "page.txt", Buffer.from(`${" ".repeat(2_000)}${page}`)],
  ["a page in UTF-16", "page.htm", Buffer.from(`\ufeff${page}`, "utf16le")],
  ["a picture with scripts", "picture.svg", Buffer.from(svg)],
  [
    "XML with a style sheet",
    "page.xml",
    Buffer.from('<?xml version="1.0"?><?xml-stylesheet href="#" type="text/xsl"?><x/>'),
  ],
  ["a script", "code.js", Buffer.from("alert(document.domain)")],
  ["a page within a GIF", "both.gif", after("GIF89a\x05\x00\x07\x00\x80\x00\x00")],
  ["a page within a PNG", "both.png", after(pngPixel)],
  ["a page within a sound", "both.mp3", after("ID3\x03\x00\x00\x00\x00\x00\x0a")],
  ["a page within a PDF", "both.pdf", after("%PDF-1.7\n")],
  ["an archive", "archive.zip", Buffer.from("504b0304140000000000", "hex")],
])("a hostile file, %s, is refused or served so that no browser runs it", async (_, name, bytes) => {
  for (const type of ["text/html", "image/svg+xml", "image/png"]) {
    const { id } = await postMessage(stage.owner, stage.channel.id, "a file");
    const form = new FormData();
    form.append("files", new Blob([bytes], { type }), name);
    const answer = await stage.owner.send("POST", `/messages/${id}/attachments`, { body: form });
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 400) continue;
    const [{ url }] = answer.expect(201, z.tuple([Attachment]));
    const { headers } = await fetch(`${client.baseUrl}${url}`);
    const servedAs = headers.get("content-type") ?? "";
    expect(servedAs).toMatch(inert);
    expect(headers.get("content-security-policy")).toBe("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const isShown = headers.get("content-disposition")?.startsWith("inline") ?? true;
    if (isShown) expect(servedAs).toMatch(/^(?:image|video|audio)\//);
  }
});

describe("a hostile file name", () => {
  test.each([
    "../../../etc/passwd",
    "..\\..\\boot.ini",
    "a\r\nSet-Cookie: x=1",
    'x".html',
    "\u202egnp.html",
    ".",
    "%2e%2e%2f",
  ])("the hostile file name %j leads nowhere and adds no header", async (name) => {
    const { id } = await postMessage(stage.owner, stage.channel.id, "a file");
    const form = new FormData();
    form.append("files", new Blob(["text"]), name);
    const answer = await stage.owner.send("POST", `/messages/${id}/attachments`, { body: form });
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 400) return;
    const [{ url }] = answer.expect(201, z.tuple([Attachment]));
    const response = await fetch(`${client.baseUrl}${url}`);
    expect([response.status, await response.text()]).toEqual([200, "text"]);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[^"\r\n]*"/);
  });

  test.each(["../../package.json", "..%2f..%2fpackage.json", "%2e%2e/%2e%2e/etc/passwd", "a%00.txt", "%ff"])(
    "a hostile file name in an address, %j, finds no other file",
    async (name) => {
      const { id } = await postMessage(stage.owner, stage.channel.id, "no file");
      const { status, body } = await stage.owner.get(`/files/${id}/${name}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body)).not.toContain("root:");
    },
  );
});
