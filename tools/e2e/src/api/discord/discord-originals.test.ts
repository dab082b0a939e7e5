import type { InteractionState, Message } from "@parley/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { connectWith } from "../stages/app-stage.js";
import { type AnswerStage, createAnswerStage, type Waiting } from "./discord-answer-stage.js";
import { type DiscordAnswer, type DiscordStage, snowflake } from "./discord-stage.js";

let answering: AnswerStage;
let stage: DiscordStage;
beforeAll(async () => {
  answering = await createAnswerStage();
  stage = answering.stage;
});

const button = { type: 2, style: 1, label: "Press", custom_id: "press" };
const components = [{ type: 1, components: [button] }];
const unknown = { status: 404, body: { code: 10008 } };
const done = { status: 204 };
const modal = {
  custom_id: "why",
  title: "Why?",
  components: [{ type: 1, components: [{ type: 4, custom_id: "text", style: 1, label: "Text" }] }],
};

const post = (path: string, body: unknown): Promise<DiscordAnswer> => stage.callOpen("POST", path, body);
const respond = ({ callback }: Waiting, type: number, data?: object) => post(callback, { type, data });
const stateOf = async ({ interaction }: Waiting) =>
  (await stage.member.get(`/interactions/${interaction.id}`)).body as InteractionState;
const read = async (id: string) =>
  (await stage.member.get(`/channels/${stage.channelId}/messages/${id}`)).body as Message;

/** Presses the button of a new message, in the channel or for the invoker alone. */
async function press({ ephemeral = false } = {}): Promise<{ pressed: Waiting; messageId: string }> {
  const asked = await answering.invoke("ping");
  const data = { content: "press", components, flags: ephemeral ? 64 : 0 };
  expect(await respond(asked, 4, data)).toMatchObject(done);
  const { message } = await stateOf(asked);
  const messageId = message?.id ?? "";
  return { pressed: await answering.press(messageId, "press"), messageId };
}

/** Asks with a modal, which the invoker hands in. */
async function submit(asking: Waiting): Promise<Waiting> {
  expect(await respond(asking, 9, modal)).toMatchObject(done);
  return answering.submit(asking, "why", { text: "so" });
}

describe("@original", () => {
  test("is the first answer for the invoker alone, whatever follows", async () => {
    const waiting = await answering.invoke("ping");
    const { answers, original } = waiting;
    expect(await respond(waiting, 4, { content: "first", flags: 64 })).toMatchObject(done);
    const { id } = (await stage.callOpen("GET", original)).body;
    const whispered = (await post(answers, { content: "second", flags: 64 })).body;
    const followed = (await post(answers, { content: "third" })).body;
    const changed = await stage.callOpen("PATCH", original, { content: "FIRST" });
    expect(changed.body).toMatchObject({ id, content: "FIRST", flags: 64 });
    expect((await stage.callOpen("GET", `${answers}/messages/${id}`)).body).toMatchObject({ content: "FIRST" });
    expect((await stage.callOpen("GET", `${answers}/messages/${followed.id}`)).body.content).toBe("third");
    expect(whispered.id).not.toBe(id);
    const invoker = await connectWith(stage.stack.edgeUrl, `token=${stage.member.accessToken}`);
    expect(await stage.callOpen("DELETE", original)).toMatchObject(done);
    const gone = await invoker.waitFor("INTERACTION_UPDATE", ({ message }) => message?.deleted === true);
    expect(snowflake(gone.message?.id ?? "")).toBe(id);
    await invoker.close();
    for (const method of ["GET", "DELETE"]) expect(await stage.callOpen(method, original)).toMatchObject(unknown);
  });

  test("and follow-ups have no address before the first answer", async () => {
    const waiting = await answering.invoke("ping");
    const webhook = { status: 404, body: { code: 10015 } };
    expect(await post(waiting.answers, { content: "early" })).toMatchObject(webhook);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { content: "early" } : undefined;
      expect(await stage.callOpen(method, waiting.original, body)).toMatchObject(webhook);
    }
    expect(await respond(waiting, 4, { content: "first" })).toMatchObject(done);
    expect(await stage.callOpen("GET", waiting.original)).toMatchObject({ status: 200 });
  });

  test("that was deleted is no follow-up", async () => {
    const waiting = await answering.invoke("ping");
    expect(await respond(waiting, 4, { content: "first" })).toMatchObject(done);
    const followed = (await post(waiting.answers, { content: "second" })).body;
    expect(await stage.callOpen("DELETE", waiting.original)).toMatchObject(done);
    for (const method of ["GET", "DELETE"])
      expect(await stage.callOpen(method, waiting.original)).toMatchObject(unknown);
    expect(await stage.callOpen("GET", `${waiting.answers}/messages/${followed.id}`)).toMatchObject({ status: 200 });
  });

  test("of a component is the pressed message, after an update and after an acknowledgement", async () => {
    for (const type of [6, 7]) {
      const { pressed, messageId } = await press();
      expect(await respond(pressed, type, type === 7 ? { content: "updated" } : undefined)).toMatchObject(done);
      expect((await post(pressed.answers, { content: "followed" })).status).toBe(200);
      const changed = await stage.callOpen("PATCH", pressed.original, { content: "edited" });
      expect(changed.body).toMatchObject({ id: snowflake(messageId), content: "edited" });
      expect(await read(messageId)).toMatchObject({ content: "edited" });
    }
  });
});

describe("an acknowledgement", () => {
  test("of a component leaves the pressed message as it is", async () => {
    const invoker = await connectWith(stage.stack.edgeUrl, `token=${stage.member.accessToken}`);
    const { pressed, messageId } = await press();
    expect(await respond(pressed, 6)).toMatchObject(done);
    expect(await stateOf(pressed)).toMatchObject({ state: "answered", message: { id: messageId, edited_at: null } });
    expect(await respond(pressed, 4, { content: "again" })).toMatchObject({ status: 400, body: { code: 40060 } });
    const changed = await stage.callOpen("PATCH", pressed.original, { content: "later" });
    expect(changed.body.edited_timestamp).not.toBeNull();
    await invoker.waitFor("MESSAGE_UPDATE", ({ content }) => content === "later");
    await invoker.expectNone("MESSAGE_UPDATE", ({ id, content }) => id === messageId && content === "press");
    await invoker.close();
  });

  test("of a component for the invoker alone keeps its message, which can be changed then", async () => {
    const { pressed, messageId } = await press({ ephemeral: true });
    expect(await respond(pressed, 6)).toMatchObject(done);
    expect((await stateOf(pressed)).message).toMatchObject({ id: messageId, edited_at: null, ephemeral: true });
    const changed = await stage.callOpen("PATCH", pressed.original, { content: "changed" });
    expect(changed.body).toMatchObject({ id: snowflake(messageId), content: "changed" });
  });

  test("of a modal of a command has no message; an update does not fit there", async () => {
    const submitted = await submit(await answering.invoke("ping"));
    expect(submitted.interaction.message).toBeNull();
    expect(await respond(submitted, 7, { content: "x" })).toMatchObject({ status: 404, body: { code: 10008 } });
    expect(await respond(submitted, 6)).toMatchObject(done);
    expect(await stateOf(submitted)).toMatchObject({ state: "answered", message: null });
    expect(await stage.callOpen("GET", submitted.original)).toMatchObject(unknown);
  });

  test("and an update of a modal of a component are about the message of that", async () => {
    const { pressed, messageId } = await press();
    const acknowledged = await submit(pressed);
    expect(acknowledged.interaction).toMatchObject({ type: "modal", message: { id: messageId } });
    expect(await respond(acknowledged, 6)).toMatchObject(done);
    expect(await read(messageId)).toMatchObject({ content: "press", edited_at: null });
    const updating = await answering.submit(pressed, "why", { text: "again" });
    expect(await respond(updating, 7, { content: "handed in" })).toMatchObject(done);
    expect(await read(messageId)).toMatchObject({ content: "handed in" });
    expect((await stage.callOpen("GET", updating.original)).body.id).toBe(snowflake(messageId));
  });

  test("does not fit a command", async () => {
    const waiting = await answering.invoke("ping");
    expect(await respond(waiting, 6)).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(await respond(waiting, 4, { content: "still open" })).toMatchObject(done);
  });
});

test("a file of an answer for the invoker alone is refused, and leaves the interaction open", async () => {
  const withFile = (payload: object) => {
    const form = new FormData();
    form.append("payload_json", JSON.stringify(payload));
    form.append("files[0]", new Blob(["moves"]), "game.pgn");
    return form;
  };
  const refused = { status: 400, body: { code: 50035, errors: { files: { _errors: [{ code: "UNSUPPORTED" }] } } } };
  const waiting = await answering.invoke("ping");
  const data = { content: "see", flags: 64 };
  expect(await post(waiting.callback, withFile({ type: 4, data }))).toMatchObject(refused);
  expect(await respond(waiting, 5, { flags: 64 })).toMatchObject(done);
  expect(await stage.callOpen("PATCH", waiting.original, withFile({ content: "see" }))).toMatchObject(refused);
  expect((await stage.callOpen("PATCH", waiting.original, { content: "see" })).status).toBe(200);
  expect(await stage.callOpen("PATCH", waiting.original, withFile({ content: "more" }))).toMatchObject(refused);
  expect(await post(waiting.answers, withFile(data))).toMatchObject(refused);
  const { pressed } = await press({ ephemeral: true });
  expect(await post(pressed.callback, withFile({ type: 7, data: { content: "x" } }))).toMatchObject(refused);
});
