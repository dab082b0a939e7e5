import { createHmac, randomUUID } from "node:crypto";
import { type Attachment, errorBody as error } from "@parley/contracts";
import { sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { deny } from "../stages/channel-stage.js";
import { acceptedFiles, pngPixel } from "../stages/sample-files.js";
import { attachOne, createUploadStage, type SharedUploadStage } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
let secret: string;
let member: UserClient;
let stranger: UserClient;
let picture: Attachment;

beforeAll(async () => {
  const stack = await sharedStack();
  secret = stack.fileUrlSecret;
  stage = await createUploadStage(stack);
  const [first] = stage.members;
  member = first;
  stranger = await stage.client.register();
  picture = await attachOne(stage.owner, stage.channel.id, { name: "pixel.png", bytes: pngPixel });
});

const digits = Buffer.from("0123456789".repeat(10_000));
const pathOf = (attachment: Attachment) => attachment.url.split("?")[0] ?? "";
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${stage.client.baseUrl}${path}`, { headers, method });
const bearer = ({ accessToken }: UserClient) => ({ authorization: `Bearer ${accessToken}` });
const attach = (name: string, bytes: Uint8Array) => attachOne(stage.owner, stage.channel.id, { name, bytes });

async function expectRefusal(request: Promise<Response>, status: number, text: string): Promise<void> {
  const response = await request;
  expect([response.status, await response.json()]).toEqual([status, error(text)]);
  expect(response.headers.get("content-disposition")).toBeNull();
}

describe("a file may be read by", () => {
  test("a file may be read by everybody with the signed address, below both prefixes and on every api", async () => {
    for (const path of [picture.url, `/api${picture.url}`, picture.url, picture.url]) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(pngPixel)).toBe(true);
    }
  });

  test("a member who may view the channel, whatever the signature", async () => {
    expect((await get(pathOf(picture), bearer(member))).status).toBe(200);
    expect((await get(`${pathOf(picture)}?exp=1&sig=0`, bearer(member))).status).toBe(200);
  });

  test("nobody without both, or with a signature that is wrong or expired", async () => {
    const { searchParams } = new URL(picture.url, "http://localhost");
    const [exp, sig] = [searchParams.get("exp"), searchParams.get("sig")];
    const text = "Invalid or expired token";
    const path = pathOf(picture);
    await expectRefusal(get(path), 401, text);
    await expectRefusal(get(`${path}?exp=${Number(exp) + 1}&sig=${sig}`), 401, text);
    const old = createHmac("sha256", secret)
      .update(`${path.slice("/files/".length)}:1700000000`)
      .digest("hex");
    await expectRefusal(get(`${path}?exp=1700000000&sig=${old}`), 401, text);
    await expectRefusal(get(`${path}?exp=${exp}&sig=${"0".repeat(64)}`), 401, text);
    await expectRefusal(get(`${path}?exp=${exp}`), 401, text);
    await expectRefusal(get(`${path}?exp=${exp}&exp=${exp}&sig=${sig}`), 401, text);
    await expectRefusal(get(`/files/nonsense/name?exp=${exp}&sig=${sig}`), 401, text);
    await expectRefusal(get(`/files/${picture.message_id}/other?exp=${exp}&sig=${sig}`), 401, text);
  });

  test("the caller of the Authorization header alone, when there is one", async () => {
    await expectRefusal(get(picture.url, { authorization: "Bearer nonsense" }), 401, "Invalid or expired token");
    await expectRefusal(get(picture.url, { authorization: "Bot nonsense" }), 401, "Invalid or revoked bot token");
    await expectRefusal(get(picture.url, bearer(stranger)), 404, "Attachment not found");
  });

  test("no member who may not view the channel", async () => {
    const [, hidden] = stage.members;
    await deny(stage.owner, stage.channel.id, { userId: hidden.user.id, permissions: ["VIEW_CHANNEL"] });
    await expectRefusal(get(pathOf(picture), bearer(hidden)), 403, "You don't have permission to view this channel");
  });

  test("nobody once the message is deleted", async () => {
    const doomed = await attach("doomed.txt", Buffer.from("x"));
    expect((await get(doomed.url)).status).toBe(200);
    await stage.owner.delete(`/messages/${doomed.message_id}`);
    await expectRefusal(get(doomed.url), 404, "Attachment not found");
    await expectRefusal(get(pathOf(doomed), bearer(stage.owner)), 404, "Attachment not found");
  });

  test("nobody under a malformed name or that of another message's file", async () => {
    const name = pathOf(picture).split("/").at(-1);
    const paths = [
      `/files/${picture.message_id}/nothing.png`,
      `/files/${picture.message_id}/..%2f${name}`,
      `/files/${picture.message_id}/a%2fb`,
      `/files/${picture.message_id}/%00`,
      `/files/${randomUUID()}/${name}`,
    ];
    for (const path of paths) await expectRefusal(get(path, bearer(member)), 404, "Attachment not found");
    await expectRefusal(get(`/files/nonsense/${name}`, bearer(member)), 400, "Invalid identifier");
    expect((await get(`/files/${picture.message_id}/a/b`, bearer(member))).status).toBe(404);
  });
});

describe("a file is served", () => {
  test("a file is served with exactly the headers of the contract", async () => {
    const { headers } = await get(picture.url);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(pngPixel.length),
      "content-disposition": 'inline; filename="pixel.png"',
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=3600",
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  test.each(acceptedFiles)(
    "a file is served in place if it is an image, video or sound: $name",
    async ({ name, bytes, mime }) => {
      const response = await get((await attach(name, bytes)).url);
      const shown = /^(image|video|audio)\//.test(mime);
      expect(response.headers.get("content-disposition")).toBe(
        `${shown ? "inline" : "attachment"}; filename="${name}"`,
      );
      expect(response.headers.get("content-type")).toBe(mime);
    },
  );

  test("a file is served under its original name, whatever letters that has", async () => {
    const { headers } = await get((await attach('na"ïve 🎈; x.txt', Buffer.from("x"))).url);
    const disposition = headers.get("content-disposition") ?? "";
    const [, encoded = ""] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? [];
    expect(disposition).toMatch(/^attachment; filename="/);
    // Browsers send a quote percent-encoded; the service undoes that.
    expect(decodeURIComponent(encoded)).toBe('na"ïve 🎈; x.txt');
  });

  test.each([
    ["bytes=0-9", 206, "bytes 0-9/100000", "0123456789"],
    ["bytes=99995-", 206, "bytes 99995-99999/100000", "56789"],
    ["bytes=-3", 206, "bytes 99997-99999/100000", "789"],
    ["bytes=99999-200000", 206, "bytes 99999-99999/100000", "9"],
  ])("a file is served in part for the range %s", async (range, status, contentRange, content) => {
    const { url } = await attach("digits.txt", digits);
    const response = await get(url, { range });
    expect([response.status, response.headers.get("content-range")]).toEqual([status, contentRange]);
    expect(response.headers.get("content-length")).toBe(String(content.length));
    expect(await response.text()).toBe(content);
  });

  test("a file is served with 416 for a range that it does not have, and whole for what is no single range", async () => {
    const { url } = await attach("digits.txt", digits);
    const beyond = await get(url, { range: "bytes=100000-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */100000"]);
    expect(await beyond.json()).toEqual(error("Range not satisfiable"));
    const wholes: Record<string, string>[] = [
      { range: "bytes=0-1,5-6" },
      { range: "lines=1-2" },
      { range: "bytes=0-1", "if-range": '"x"' },
    ];
    for (const headers of wholes) {
      const whole = await get(url, headers);
      expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, digits.length]);
    }
  });

  test("a file is served with its headers and no bytes for HEAD", async () => {
    const response = await get(picture.url, {}, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-length")).toBe(String(pngPixel.length));
    expect(response.headers.get("content-type")).toBe("image/png");
    expect((await get(pathOf(picture), {}, "HEAD")).status).toBe(401);
  });

  test("a file is served to everybody else as before when a reader goes away in the middle", async () => {
    const { url } = await attach("long.txt", Buffer.alloc(20_000_000, "long "));
    const failures = () => stage.stack.output().filter((line) => line.includes('"level":"error"'));
    const before = failures().length;
    const leaving = new AbortController();
    const response = await fetch(`${stage.client.baseUrl}${url}`, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect((await (await get(url)).arrayBuffer()).byteLength).toBe(20_000_000);
    expect(failures().slice(before)).toEqual([]);
  });
});
