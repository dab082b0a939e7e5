import { randomUUID } from "node:crypto";
import { CustomEmoji, errorBody as error } from "@parley/contracts";
import {
  connectGateway,
  createServer,
  type GatewayClient,
  postMessage,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { acceptedFiles, pngPixel } from "../stages/sample-files.js";
import { createUploadStage, type SharedUploadStage, watchFiles } from "../stages/upload-stage.js";

let stage: SharedUploadStage;
let member: UserClient;
let administrator: UserClient;
let stranger: UserClient;
let inside: GatewayClient[];
let outside: GatewayClient[];
let path: string;

beforeAll(async () => {
  stage = await createUploadStage(await sharedStack());
  const { server, owner, members, client, stack } = stage;
  [member, administrator] = members;
  stranger = await client.register();
  path = `/servers/${server.id}/emojis`;
  const role = await owner.post(`/servers/${server.id}/roles`, { name: "admin", permissions: 8192 });
  const { id } = role.expect(201, z.object({ id: z.string() }));
  expect((await owner.put(`/servers/${server.id}/members/${administrator.user.id}/roles/${id}`)).status).toBe(204);
  const connect = (user: UserClient) => stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  inside = [owner, member].flatMap(connect);
  outside = connect(stranger);
  await Promise.all([...inside, ...outside].map(({ ready }) => ready));
});
afterAll(async () => {
  for (const socket of [...(inside ?? []), ...(outside ?? [])]) socket.terminate();
});

const emojis = z.array(CustomEmoji.strict());
const freshName = () => `emoji_${randomUUID().slice(0, 8)}`;
const blobOf = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)], { type: "image/png" });
function formOf({
  name = freshName(),
  image = pngPixel,
}: {
  name?: string | null;
  image?: Uint8Array | null;
}): FormData {
  const form = new FormData();
  if (name !== null) form.append("name", name);
  if (image !== null) form.append("image", blobOf(image), "image.png");
  return form;
}
const create = (by: UserClient, fields: Parameters<typeof formOf>[0] = {}, at = path) =>
  by.send("POST", at, { body: formOf(fields) });
const createOne = async (by: UserClient, name = freshName()) => (await create(by, { name })).expect(201, CustomEmoji);

/** Everything that happened in the server before has arrived. */
async function passBarrier(): Promise<void> {
  const { id } = await postMessage(stage.owner, stage.channel.id, "barrier");
  await Promise.all(inside.map((socket) => socket.waitFor("MESSAGE_CREATE", (message) => message.id === id)));
  await Promise.all(outside.map((socket) => socket.heartbeat()));
}

describe("creating a custom emoji", () => {
  test("creating a custom emoji is allowed to the owner and administrators, and announced to every member on every gateway, to nobody else", async () => {
    for (const by of [stage.owner, administrator]) {
      const answer = await create(by, { name: ` party-${by.user.id.slice(-12)} ` });
      const emoji = answer.expect(201, CustomEmoji.strict());
      expect(emoji).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        server_id: stage.server.id,
        name: `party-${by.user.id.slice(-12)}`,
        url: `/api/emojis/${emoji.id}`,
        content_type: "image/png",
        file_size: pngPixel.length,
        created_by: by.user.id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      for (const socket of inside) {
        expect(await socket.waitFor("CUSTOM_EMOJI_CREATE", ({ id }) => id === emoji.id)).toEqual(emoji);
      }
    }
    await passBarrier();
    for (const socket of outside) expect(socket.events).toEqual([]);
  });

  test.each(acceptedFiles.filter(({ mime }) => mime.startsWith("image/")))(
    "accepts $mime by its bytes",
    async (file) => {
      const emoji = (await create(stage.owner, { image: file.bytes })).expect(201, CustomEmoji);
      expect([emoji.content_type, emoji.file_size]).toEqual([file.mime, file.bytes.length]);
      const image = await fetch(`${stage.client.baseUrl}${emoji.url}`);
      expect(image.headers.get("content-type")).toBe(file.mime);
      expect(Buffer.from(await image.arrayBuffer()).equals(file.bytes)).toBe(true);
    },
  );

  const atLimit = Buffer.concat([pngPixel, Buffer.alloc(262_144 - pngPixel.length)]);
  const badName = "Emoji name must be 1-32 lowercase letters, digits, underscores or hyphens";

  test("an image may have 256 KB and a name 32 characters", async () => {
    expect((await create(stage.owner, { name: "x".repeat(32), image: atLimit })).status).toBe(201);
  });

  test.each([
    ["no name", { name: null }, "Missing 'name' field"],
    ["neither name nor image", { name: null, image: null }, "Missing 'name' field"],
    ["no image", { image: null }, "Missing 'image' field"],
    ["an empty name", { name: "" }, badName],
    ["capitals", { name: "Party" }, badName],
    ["a space", { name: "a b" }, badName],
    ["other letters", { name: "ü" }, badName],
    ["33 characters", { name: "x".repeat(33) }, badName],
    ["5000 characters", { name: "x".repeat(5_000) }, badName],
    ["an empty image", { image: Buffer.alloc(0) }, "Image must not be empty"],
    [
      "an image of a byte too much",
      { image: Buffer.concat([atLimit, Buffer.alloc(1)]) },
      "Image size exceeds the 256 KB limit",
    ],
    [
      "an image of 10 MB",
      { image: Buffer.concat([atLimit, Buffer.alloc(10_000_000)]) },
      "Image size exceeds the 256 KB limit",
    ],
    ["text", { image: Buffer.from("not an image") }, "Image type is not allowed"],
    [
      "a video",
      { image: acceptedFiles.find(({ mime }) => mime === "video/mp4")?.bytes ?? null },
      "Image type is not allowed",
    ],
    ["a document", { image: Buffer.from("%PDF-1.7\n") }, "Image type is not allowed"],
  ])("a custom emoji with %s is refused", async (_, fields, text) => {
    const uploaded = await watchFiles(stage.uploadDir);
    const answer = await create(stage.owner, fields);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
    expect(await uploaded()).toEqual([]);
  });

  test("creating a custom emoji refuses a body that is no form", async () => {
    for (const answer of [await stage.owner.post(path, { name: "x" }), await stage.owner.post(path)]) {
      expect([answer.status, answer.body]).toEqual([400, error("Invalid multipart data")]);
    }
  });

  test("a name exists once in a server, also when two ask at once, and may exist in another", async () => {
    const name = freshName();
    const uploaded = await watchFiles(stage.uploadDir);
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(stage.owner, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const text = `An emoji named '${name}' already exists in this server`;
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(error(text));
    expect(await uploaded()).toHaveLength(1);
    const other = await createServer(stage.owner);
    expect((await create(stage.owner, { name }, `/api/servers/${other.id}/emojis`)).status).toBe(201);
  });

  test("a server has at most 50, also when many ask at once", async () => {
    const { id } = await createServer(stage.owner);
    const at = `/servers/${id}/emojis`;
    for (let count = 0; count < 47; count += 1) expect((await create(stage.owner, {}, at)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(stage.owner, {}, at)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toEqual(error("Servers may not have more than 50 custom emojis"));
    expect((await stage.owner.get(at)).expect(200, emojis)).toHaveLength(50);
  });
});

describe("custom emoji that exist", () => {
  test("custom emoji that exist are listed to members, oldest first", async () => {
    const created = [await createOne(stage.owner), await createOne(administrator)];
    const list = (await member.get(`/api${path}`)).expect(200, emojis);
    expect(list.slice(-2)).toEqual(created);
  });

  test("custom emoji that exist are gone for everybody once deleted, and every member is notified", async () => {
    const uploaded = await watchFiles(stage.uploadDir);
    const { id } = await createOne(stage.owner);
    expect(await uploaded()).toHaveLength(1);
    expect((await administrator.delete(`${path}/${id}`)).status).toBe(204);
    for (const socket of inside) {
      const payload = await socket.waitFor("CUSTOM_EMOJI_DELETE", ({ emoji_id }) => emoji_id === id);
      expect(payload).toEqual({ server_id: stage.server.id, emoji_id: id });
    }
    const again = await stage.owner.delete(`${path}/${id}`);
    expect([again.status, again.body]).toEqual([404, error("Emoji not found")]);
    const image = await fetch(`${stage.client.baseUrl}/emojis/${id}`);
    expect([image.status, await image.json()]).toEqual([404, error("Emoji not found")]);
    expect(await uploaded()).toEqual([]);
    await passBarrier();
    for (const socket of outside) expect(socket.events).toEqual([]);
    for (const socket of inside)
      expect(socket.events.filter(({ name }) => name === "CUSTOM_EMOJI_DELETE")).toHaveLength(1);
  });

  test("custom emoji that exist have an image that anybody reads, whatever credentials they show", async () => {
    const { id } = await createOne(stage.owner);
    for (const prefix of ["", "/api"]) {
      for (const authorization of ["", "Bearer nonsense"]) {
        const image = await fetch(
          `${stage.client.baseUrl}${prefix}/emojis/${id}`,
          authorization === "" ? {} : { headers: { authorization } },
        );
        expect(image.status).toBe(200);
        expect(Object.fromEntries(image.headers)).toMatchObject({
          "content-type": "image/png",
          "cache-control": "public, max-age=86400",
          "content-length": String(pngPixel.length),
        });
        expect(Buffer.from(await image.arrayBuffer()).equals(pngPixel)).toBe(true);
      }
    }
    expect((await fetch(`${stage.client.baseUrl}/emojis/${id}`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${stage.client.baseUrl}/emojis/${randomUUID()}`)).status).toBe(404);
    const malformed = await fetch(`${stage.client.baseUrl}/emojis/nonsense`);
    expect([malformed.status, await malformed.json()]).toEqual([400, error("Invalid identifier")]);
  });
});

describe("access to custom emoji is refused", () => {
  test("a custom emoji of members without the permission is refused before its image is read", async () => {
    const { id } = await createOne(stage.owner);
    for (const answer of [
      await create(member),
      await create(member, { name: null }),
      await create(member, { name: "Not A Name" }),
      await member.delete(`${path}/${id}`),
    ]) {
      const text = "You need the Administrator permission to manage custom emojis";
      expect([answer.status, answer.body]).toEqual([403, error(text)]);
    }
    expect((await member.delete(`${path}/${randomUUID()}`)).body).toEqual(error("Emoji not found"));
  });

  test("custom emoji are refused to strangers, who find no server", async () => {
    const { id } = await createOne(stage.owner);
    const nowhere = `/servers/${randomUUID()}/emojis`;
    for (const answer of [
      await stranger.get(path),
      await create(stranger),
      await stranger.delete(`${path}/${id}`),
      await stage.owner.get(nowhere),
      await create(stage.owner, {}, nowhere),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
  });

  test("custom emoji are refused without credentials, or with malformed identifiers", async () => {
    const anybody = stage.client;
    for (const answer of [await anybody.get(path), await anybody.post(path), await anybody.delete(`${path}/x`)]) {
      expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
    }
    for (const answer of [await stage.owner.get("/servers/x/emojis"), await stage.owner.delete(`${path}/x`)]) {
      expect([answer.status, answer.body]).toEqual([400, error("Invalid identifier")]);
    }
  });

  test("below the path of another server", async () => {
    const { id } = await createOne(stage.owner);
    const other = await createServer(stage.owner);
    const answer = await stage.owner.delete(`/servers/${other.id}/emojis/${id}`);
    expect([answer.status, answer.body]).toEqual([404, error("Emoji not found")]);
  });
});
