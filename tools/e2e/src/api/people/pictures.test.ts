import { Bot, errorBody as error, PublicProfile, Server, User } from "@parley/contracts";
import {
  type Answer,
  connectGateway,
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
  waitUntil,
} from "@parley/testing";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";
import { filesBelow } from "../stages/upload-stage.js";
import { brokenPictures } from "./hostile-pictures.js";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture<Users<2>>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 2);
});

/** A connection that gets the events of all changes, also of members. */
const connectV2 = ({ accessToken }: UserClient) =>
  connectGateway(stack.gateways[0]?.url ?? "", accessToken, {
    query: `token=${encodeURIComponent(accessToken)}&v=2&members=all`,
  });

/** A picture with a left half of one colour and a right half of another. */
const halves = (left: string, right: string, { width = 1_000, height = 800 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: left } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: right } }, gravity: "east" },
  ]);
/** An animated GIF; every frame has another colour. */
const moving = (frames: number, side: number) =>
  sharp(Buffer.concat(Array.from({ length: frames }, (_, frame) => Buffer.alloc(side * side * 3, frame * 20))), {
    raw: { width: side, height: side * frames, channels: 3, pageHeight: side },
  }).gif();

const formOf = (image?: Uint8Array) => {
  const form = new FormData();
  if (image !== undefined) form.append("image", new Blob([Uint8Array.from(image)]), "me.png");
  return form;
};
const upload = (by: RestClient, path: string, image?: Uint8Array): Promise<Answer> =>
  by.send("POST", path, { body: formOf(image) });
const setAvatar = async (by: RestClient, image: Uint8Array) =>
  (await upload(by, "/users/@me/avatar", image)).expect(200, User.strict());
const read = (address: string | null, at = stack.edgeUrl) => fetch(`${at}${address}`);
const bytesOf = async (address: string) => Buffer.from(await (await read(address)).arrayBuffer());
const addressPattern = /^\/media\/[0-9a-f]{64}$/;
const hashOf = (address: string | null) => address?.split("/")[2] ?? "";
const storedOf = async (address: string | null) =>
  (await filesBelow(stack.uploadDir)).filter((path) => path.includes(hashOf(address)));

describe("the picture of a person", () => {
  test("a photo is kept upright, square, in three sizes and without its metadata, and announced as any change of it", async () => {
    const [user, other] = fixture.members;
    const gateway = connectV2(user);
    const watching = connectV2(other);
    await Promise.all([gateway.ready, watching.ready]);
    const photo = await halves("#ff0000", "#0000ff")
      .jpeg()
      .withExif({ IFD0: { Artist: "secret name" }, IFD3: { GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { avatar_url } = await setAvatar(user, photo);
    expect(avatar_url).toMatch(addressPattern);
    for (const size of [512, 128, 64]) {
      const image = await bytesOf(`${avatar_url}?size=${size}`);
      expect(await sharp(image).metadata()).toMatchObject({ format: "webp", width: size, height: size });
      expect(image.toString("latin1")).not.toMatch(/secret|EXIF|XMP|ICCP/);
      // Turned by a quarter, the left half is above: the end of the first row has its colour.
      const pixels = await sharp(image).removeAlpha().raw().toBuffer();
      const [red = 0, , blue = 0] = pixels.subarray(3 * (size - 1), 3 * size);
      expect([red > 200, blue < 50]).toEqual([true, true]);
    }
    expect(await gateway.waitFor("USER_UPDATE", (account) => account.avatar_url === avatar_url)).toBeDefined();
    const change = await watching.waitFor("MEMBER_UPDATE", ({ member }) => member.user_id === user.user.id);
    expect(change.member.avatar_url).toBe(avatar_url);
    for (const socket of [gateway, watching]) socket.terminate();
  });

  test("everybody reads it from every api for good, in either form of the path, and nothing can run in it", async () => {
    const [user] = fixture.members;
    const { avatar_url } = await setAvatar(user, await halves("green", "white").png().toBuffer());
    for (const api of stack.apis) {
      for (const prefix of ["", "/api"]) {
        const answer = await read(`${prefix}${avatar_url}`, api.url);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-security-policy")).toMatch(/^sandbox/);
      }
    }
    for (const hash of ["0".repeat(64), "nothing", "%00", "%ff"]) {
      const wrong = await read(`/media/${hash}`);
      expect([wrong.status, await wrong.json()]).toEqual([404, error("Picture not found")]);
    }
    const wrong = await read(`${avatar_url}?size=100`);
    expect([wrong.status, await wrong.json()]).toEqual([400, error("size must be 512, 128 or 64")]);
  });

  test("a small picture is not enlarged, and what hides behind a picture is left out", async () => {
    const [user] = fixture.members;
    const small = await halves("red", "blue", { width: 100, height: 40 }).webp().toBuffer();
    const { avatar_url } = await setAvatar(user, Buffer.concat([small, Buffer.from("<script>alert(1)</script>")]));
    expect(await sharp(await bytesOf(`${avatar_url}`)).metadata()).toMatchObject({ width: 40, height: 40 });
    expect(String(await bytesOf(`${avatar_url}`))).not.toContain("script");
  });

  test("a GIF of at most 2 MB stays animated, a larger one keeps its first frame", async () => {
    const [user] = fixture.members;
    const dance = await moving(5, 200).toBuffer();
    const small = await setAvatar(user, dance);
    for (const size of [512, 64]) {
      expect((await sharp(await bytesOf(`${small.avatar_url}?size=${size}`)).metadata()).pages).toBe(5);
    }
    // Bytes behind the end of a GIF count by their size alone.
    const large = await setAvatar(user, Buffer.concat([dance, Buffer.alloc(2 * 1024 * 1024)]));
    expect((await sharp(await bytesOf(`${large.avatar_url}`)).metadata()).pages ?? 1).toBe(1);
  });

  test("a missing, empty or too large picture is refused", async () => {
    const [user] = fixture.members;
    const path = "/users/@me/avatar";
    const refused = async (image?: Uint8Array) => {
      const { status, body } = await upload(user, path, image);
      return [status, body];
    };
    expect(await refused()).toEqual([400, error("Missing 'image' field")]);
    expect(await refused(Buffer.alloc(0))).toEqual([400, error("Image must not be empty")]);
    const large = Buffer.concat([pngPixel, Buffer.alloc(8 * 1024 * 1024)]);
    expect(await refused(large)).toEqual([400, error("Image size exceeds the 8 MB limit")]);
    expect((await user.post(path, {})).status).toBe(400);
  });

  test("a broken picture and one that claims 400 megapixels are refused", async () => {
    const [user] = fixture.members;
    const pictures = new Map(await brokenPictures());
    for (const name of ["half of a JPEG", "a PNG that claims 20,000 x 20,000 pixels"]) {
      const { status, body } = await upload(user, "/users/@me/avatar", pictures.get(name));
      expect([name, status, body]).toEqual([name, 400, error("Image could not be read")]);
    }
  });

  test("a change of the profile takes the picture that is set, an address elsewhere or none, and no other upload", async () => {
    const [user, other] = fixture.members;
    const own = (await setAvatar(user, await halves("red", "white").png().toBuffer())).avatar_url;
    const others = (await setAvatar(other, await halves("black", "white").png().toBuffer())).avatar_url;
    const change = async (avatar_url: string | null) => {
      const { status, body } = await user.patch("/users/@me", { avatar_url, bio: "x" });
      return status === 200 ? User.parse(body).avatar_url : body;
    };
    expect(await change(own)).toBe(own);
    expect(await change(others)).toEqual(error("avatar_url must use http:// or https://"));
    expect(await change("https://example.com/me.png")).toBe("https://example.com/me.png");
    expect(await change(own)).toEqual(error("avatar_url must use http:// or https://"));
    expect((await user.send("DELETE", "/users/@me/avatar")).status).toBe(204);
    expect((await user.get("/users/@me")).expect(200, User).avatar_url).toBeNull();
  });
});

test("a picture that two have, uploaded at the same moment on two apis, goes with the second one", async () => {
  const [first, second] = await Promise.all(stack.apis.map(({ url }) => createClient(url).register()));
  if (first === undefined || second === undefined) throw new Error("Two apis are needed.");
  const image = await halves("teal", "olive").png().toBuffer();
  const [one, two] = await Promise.all([first, second].map((user) => setAvatar(user, image)));
  const address = one?.avatar_url ?? null;
  expect(two?.avatar_url).toBe(address);
  await waitUntil(async () => (await storedOf(address)).length === 3);
  await first.patch("/users/@me", { avatar_url: "https://example.com/me.png" });
  // Another picture that goes shows that the first was looked at.
  const { avatar_url: witness } = await setAvatar(first, await halves("navy", "pink").png().toBuffer());
  await first.delete("/users/@me/avatar");
  await waitUntil(async () => (await storedOf(witness)).length === 0);
  expect([(await read(address)).status, (await storedOf(address)).length]).toEqual([200, 3]);
  expect((await second.delete("/users/@me", { password: second.password })).status).toBe(204);
  await waitUntil(async () => (await storedOf(address)).length === 0);
  expect((await read(address)).status).toBe(404);
});

describe("the picture of a server", () => {
  test("its owner sets and removes it, and it goes with the server", async () => {
    const { owner, server, members } = await createServerWithMembers(client, 1);
    const path = `/servers/${server.id}/icon`;
    const [member] = members;
    if (member === undefined) throw new Error("A member is needed.");
    const gateway = connectV2(member);
    await gateway.ready;
    const { icon_url } = (await upload(owner, path, pngPixel)).expect(200, Server.strict());
    expect(icon_url).toMatch(addressPattern);
    expect(await gateway.waitFor("SERVER_UPDATE", (changed) => changed.icon_url === icon_url)).toBeDefined();
    expect((await owner.patch(`/servers/${server.id}`, { icon_url, name: "Go" })).expect(200, Server).icon_url).toBe(
      icon_url,
    );

    const stranger = await client.register();
    const asked = [member, stranger].map((by) => upload(by, path, pngPixel));
    expect((await Promise.all(asked)).map((answer) => [answer.status, answer.body])).toEqual([
      [403, error("Only the server owner can update it")],
      [404, error("Server not found")],
    ]);
    expect((await member.delete(path)).status).toBe(403);

    expect((await owner.delete(path)).status).toBe(204);
    expect((await owner.get(`/servers/${server.id}`)).expect(200, Server).icon_url).toBeNull();
    const last = (await upload(owner, path, await halves("lime", "gray").png().toBuffer())).expect(200, Server);
    expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
    await waitUntil(async () => (await storedOf(last.icon_url)).length === 0);
    gateway.terminate();
  });
});

describe("the picture of a bot", () => {
  const CreatedBot = z.object({ bot: Bot, token: z.string() });
  const profileOf = async (by: RestClient, { user_id }: Bot) =>
    (await by.get(`/users/${user_id}`)).expect(200, PublicProfile);

  test("its creator sets it on the bot's account, nobody else, and not once the bot is revoked", async () => {
    const creator: UserClient = await client.register();
    const { bot, token } = (await creator.post("/bots", { name: "Chess" })).expect(201, CreatedBot);
    const path = `/bots/${bot.id}/avatar`;
    expect((await upload(creator, path, pngPixel)).expect(200, Bot.strict())).toEqual(bot);
    expect((await profileOf(creator, bot)).avatar_url).toMatch(addressPattern);
    const stranger = await upload(await client.register(), path, pngPixel);
    expect([stranger.status, stranger.body]).toEqual([404, error("Bot not found")]);
    expect((await upload(client.withAuthorization(`Bot ${token}`), path, pngPixel)).status).toBe(403);
    expect((await creator.delete(path)).status).toBe(204);
    expect((await profileOf(creator, bot)).avatar_url).toBeNull();
    await setAvatar(client.withAuthorization(`Bot ${token}`), await halves("gold", "tan").png().toBuffer());
    expect((await creator.delete(`/bots/${bot.id}`)).status).toBe(204);
    const revoked = await upload(creator, path, pngPixel);
    expect([revoked.status, revoked.body]).toEqual([400, error("Cannot update a revoked bot")]);
  });

  test("it goes with the account of its creator", async () => {
    const creator: UserClient = await client.register();
    const { bot } = (await creator.post("/bots", { name: "Chess" })).expect(201, CreatedBot);
    (await upload(creator, `/bots/${bot.id}/avatar`, await halves("aqua", "plum").png().toBuffer())).expect(200, Bot);
    const { avatar_url } = await profileOf(creator, bot);
    expect((await creator.delete("/users/@me", { password: creator.password })).status).toBe(204);
    await waitUntil(async () => (await storedOf(avatar_url)).length === 0);
    expect((await profileOf(fixture.owner, bot)).avatar_url).toBeNull();
  });
});
