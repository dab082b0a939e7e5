import { DmChannel, errorBody, Message, NotificationSettings } from "@parley/contracts";
import {
  connectGateway,
  createServerWithMembers,
  joinServer,
  type MailReader,
  postMessage,
  type RestClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailStage, publicUrl, startMailStage } from "./mails-fixture.js";

let stage: MailStage;
beforeAll(async () => {
  stage = await startMailStage();
});
afterAll(() => stage?.stop());

const path = "/users/@me/notifications";

/** A server with a reader, whom the owner writes to. */
async function createPlace(settings: object = { mail: "mentions" }) {
  const { server, channel, owner } = await createServerWithMembers(stage.client, 0);
  const reader = await stage.register(settings);
  await joinServer(reader, server.id);
  const mention = (text: string) => postMessage(owner, channel.id, `@${reader.username} ${text}`);
  return { server, channel, owner, reader, mention };
}

/** The mails of an account when all that is due was sent. */
async function mailsOf(reader: MailReader) {
  await stage.untilSettled([reader]);
  return stage.mailsTo(reader);
}

async function sendDirect(from: RestClient, to: MailReader, texts: readonly string[]) {
  const { id } = (await from.post("/dm-channels", { user_id: to.user.id })).expect(201, DmChannel);
  const ids: string[] = [];
  for (const content of texts) {
    const { body } = await from.post(`/dm-channels/${id}/messages`, { content });
    ids.push(String(Object(body).id));
  }
  return { channelId: id, ids };
}

describe("a mail about missed messages", () => {
  test("a mail lists mentions and conversations with links, as text and as HTML without pictures", async () => {
    const { server, channel, owner, reader, mention } = await createPlace();
    const one = await mention('<b>bold</b> & "quoted" <img src="https://example.org/p.png">');
    const body = { content: `@${reader.username} below` };
    const two = (await owner.post(`/channels/${channel.id}/messages/${one.id}/thread`, body)).expect(201, Message);
    const { channelId, ids } = await sendDirect(owner, reader, ["first", "second", "third ||secret||"]);
    await stage.miss(reader, ids, { isDirect: true });
    await stage.miss(reader, [one.id, two.id]);
    const [mail, ...others] = await mailsOf(reader);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("You missed – Mentions: 2, Direct messages: 3");
    expect(mail?.language).toBe("en");
    const link = `${publicUrl}/app/servers/${server.id}/channels/${channel.id}/${one.id}`;
    const directLink = `${publicUrl}/app/dm/${channelId}/${ids[2]}`;
    const place = `\u2068${owner.username}\u2069 · #${channel.name} (${server.name})`;
    expect(mail?.text).toContain(`${place}\n@${reader.username} <b>bold</b> & "quoted"`);
    // A reply in a thread is found at its root.
    expect(mail?.text.split(`\n${link}\n`)).toHaveLength(3);
    expect(mail?.text).toContain(`\u2068${owner.username}\u2069 · messages: 3\nthird ▒▒▒▒\n${directLink}\n`);
    expect(mail?.text).not.toContain("second");
    expect(mail?.html).toContain(`<a href="${link}">`);
    expect(mail?.html).toContain("&lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;");
    expect(mail?.html).not.toMatch(/<img|<b>|<link|<style|style=|url\(/);
    expect(mail?.header("Auto-Submitted")).toBe("auto-generated");
  });

  test("a mail shows 200 characters of a message, lists 20 and counts the others", async () => {
    const { reader, mention } = await createPlace();
    const long = await mention("😀".repeat(300));
    const ids = [long.id];
    for (let number = 1; number <= 24; number += 1) ids.push((await mention(`number ${number}.`)).id);
    await stage.miss(reader, ids);
    const [mail] = await mailsOf(reader);
    expect(mail?.text).toMatch(/@\w+ (😀){100,}…\n/u);
    expect([...(/^@.*…$/mu.exec(mail?.text ?? "")?.[0] ?? "")]).toHaveLength(200);
    expect(mail?.text).toContain("number 19.");
    expect(mail?.text).not.toContain("number 20.");
    expect(mail?.text).toContain("and 5 more");
    expect(mail?.subject).toContain("Mentions: 25");
  });

  test("a mail is in the language of the request that asked for mails", async () => {
    const { reader, mention } = await createPlace();
    const ask = (language: string, body: object) =>
      reader.send("PATCH", path, { body, headers: { "accept-language": language } });
    expect((await ask("de", { mail: "mentions" })).status).toBe(200);
    // It says nothing about mails.
    expect((await ask("ar", { timezone: "Europe/Berlin" })).status).toBe(200);
    await stage.miss(reader, [(await mention("hallo")).id]);
    const [mail] = await mailsOf(reader);
    expect(mail).toMatchObject({ language: "de", subject: "Verpasst – Erwähnungen: 1" });
  });
});

describe("List-Unsubscribe", () => {
  const oneClick = "List-Unsubscribe=One-Click";
  const settingsOf = async (reader: MailReader) => (await reader.get(path)).expect(200, NotificationSettings);

  async function mailed() {
    const place = await createPlace();
    await stage.miss(place.reader, [(await place.mention("hello")).id]);
    const [mail] = await mailsOf(place.reader);
    expect(mail?.header("List-Unsubscribe-Post")).toBe(oneClick);
    const url = /^<(.*)>$/.exec(mail?.header("List-Unsubscribe") ?? "")?.[1] ?? "";
    expect(url.startsWith(`${publicUrl}/mail/unsubscribe/`)).toBe(true);
    expect(mail?.text).toContain(url);
    expect(mail?.html).toContain(url);
    return { ...place, link: url.slice(publicUrl.length) };
  }
  const post = (link: string) =>
    stage.client.send("POST", link, {
      body: oneClick,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

  test("one click ends the mails without a log-in, notifies all connections, and may be repeated", async () => {
    const { reader, link, mention } = await mailed();
    const query = `token=${reader.accessToken}&v=2`;
    const socket = connectGateway(stage.stack.gateways[0]?.url ?? "", "", { query });
    await socket.ready;
    for (const answer of [await post(link), await post(link)]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.body).toContain("You get no more mails");
    }
    expect(await socket.waitFor("NOTIFICATIONS_UPDATE")).toEqual(await settingsOf(reader));
    expect((await settingsOf(reader)).mail).toBe("off");
    await stage.miss(reader, [(await mention("again")).id]);
    const other = await mailed();
    expect([stage.mailsTo(reader).length, stage.mailsTo(other.reader).length]).toEqual([1, 1]);
    await socket.close();
  });

  test("opening the link ends nothing: its page asks", async () => {
    const { reader, link } = await mailed();
    const page = await stage.client.get(link);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.body).toContain('<form method="post">');
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect((await settingsOf(reader)).mail).toBe("mentions");
    await post(link);
    expect((await stage.client.get(link)).body).not.toContain("<form");
  });

  test("a link works for the address that it was sent to, and for no other account", async () => {
    const [one, other] = [await mailed(), await mailed()];
    const [mac] = other.link.split(".").slice(-1);
    const refused = [
      `/mail/unsubscribe/${one.reader.user.id}.${mac}`,
      `/mail/unsubscribe/${one.reader.user.id}`,
      "/mail/unsubscribe/nothing",
      `${one.link}0`,
    ];
    for (const link of refused) {
      for (const answer of [await post(link), await stage.client.get(link)]) {
        expect([answer.status, answer.body]).toEqual([404, errorBody("This link ends no mails of this address")]);
      }
    }
    await stage.sql("UPDATE users SET email = 'new' || email WHERE id = $1", [one.reader.user.id]);
    expect((await post(one.link)).status).toBe(404);
    expect((await settingsOf(one.reader)).mail).toBe("mentions");
    expect((await settingsOf(other.reader)).mail).toBe("mentions");
  });
});
