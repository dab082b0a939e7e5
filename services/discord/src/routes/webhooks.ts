import type { DetailedMessage, IncomingWebhook, IncomingWebhookWithToken, Message } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { type APIUser, type APIWebhook, WebhookType } from "discord-api-types/v10";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadPeople } from "../loading/context.js";
import { showMessage } from "../loading/messages.js";
import { messageInput } from "../objects/message-input.js";
import { pictureHash } from "../objects/user.js";
import { RawBody } from "../rest/api.js";
import { DiscordError, discordError, unsupported } from "../rest/errors.js";
import { filesForm, readBodyWithFiles, readBytes } from "../rest/forms.js";
import { isSet, readInput, snowflakeInput, withQuery } from "../rest/input.js";
import { Answer, type BotCall, type Call, openRoute, PlainText, route } from "../rest/route.js";
import { channelOf } from "./channels.js";
import { serverOf } from "./guilds.js";
import { interactionAnswers, isInteraction } from "./interactions.js";
import { ownMessage, requireSomething } from "./messages.js";

const findWebhook = defineStatement({
  name: "discord_webhook",
  text: "SELECT id, server_id, channel_id, name, avatar_url, created_by FROM incoming_webhooks WHERE id = $1::uuid",
  row: z.object({
    id: z.string(),
    server_id: z.string(),
    channel_id: z.string(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    created_by: z.string().nullable(),
  }),
});
type Found = ReturnType<(typeof findWebhook)["parse"]>;

/** Which webhook the path names. The api says whether the caller may know of it. */
async function webhookOf({ database, id, params }: Call): Promise<Found> {
  const [found] = await database.query(findWebhook, [await id("webhook", params.webhook_id ?? "", 10015)]);
  if (found === undefined) throw discordError(10015);
  return found;
}

type Shown = Pick<IncomingWebhook, "id" | "channel_id" | "name" | "avatar_url" | "created_by"> & { token?: string };

async function show({ database, origin }: Call, serverId: string, webhooks: readonly Shown[]): Promise<APIWebhook[]> {
  const people = await loadPeople(
    database,
    webhooks.map(({ created_by }) => created_by),
  );
  return webhooks.filter(isShown).map(({ id, channel_id, name, avatar_url, created_by, token }) => ({
    ...ofMaker(people("user", created_by)),
    id: snowflakeOf(id),
    type: WebhookType.Incoming,
    guild_id: snowflakeOf(serverId),
    channel_id: snowflakeOf(channel_id),
    name,
    avatar: pictureHash(avatar_url),
    ...(token === undefined ? {} : { token, url: `${origin}/discord/api/webhooks/${snowflakeOf(id)}/${token}` }),
  }));
}

/** The application of a bot has the id of its account. */
const ofMaker = ({ user }: { user?: APIUser }) => ({
  application_id: user?.bot ? user.id : null,
  ...(user === undefined ? {} : { user }),
});

async function showOne(call: Call, serverId: string, webhook: Shown): Promise<APIWebhook> {
  const [shown] = await show(call, serverId, [webhook]);
  if (shown === undefined) throw discordError(10015);
  return shown;
}

const newWebhook = z.object({ name: z.string().min(1).max(80) });
const change = z.object({ name: z.string().min(1).max(80).nullish(), channel_id: snowflakeInput.nullish() });

async function listOf(call: BotCall, serverId: string, channelId: string | null) {
  const path = `/servers/${serverId}/incoming-webhooks`;
  const { webhooks } = await call.api.get<{ webhooks: IncomingWebhook[] }>(path);
  return show(
    call,
    serverId,
    webhooks.filter(({ channel_id }) => channelId === null || channel_id === channelId),
  );
}

async function changeWebhook(call: BotCall) {
  const { id, server_id } = await webhookOf(call);
  const { name, channel_id } = readInput(change, call.body);
  const fields = {
    ...(name ? { name } : {}),
    ...(channel_id ? { channel_id: await call.id("channel", channel_id, 10003, server_id) } : {}),
  };
  const path = `/servers/${server_id}/incoming-webhooks/${id}`;
  return showOne(call, server_id, await call.api.send<IncomingWebhook>("PATCH", path, fields));
}

/** Posts a message; the token is the only credential. */
async function execute(call: Call) {
  const { api, database, params, query, request, bot } = call as BotCall;
  const webhook = await webhookOf(call);
  const { body, files } = await readBodyWithFiles(request);
  const input = readInput(messageInput, body);
  for (const key of ["components", "poll"] as const) {
    const part = input[key];
    if (Array.isArray(part) ? part.length > 0 : part) throw unsupported([key], `A message of a webhook with ${key}`);
  }
  requireSomething(input, files.length);
  const hasFiles = files.length > 0;
  const { content, embeds, pictures } = await ownMessage(call, webhook.server_id, input, { hasFiles });
  const thread = query.get("thread_id");
  const thread_id = thread === null ? undefined : await call.id("message", thread, 10003, webhook.channel_id);
  const avatar_url = pictures.get(input.avatar_url ?? "") ?? input.avatar_url;
  const payload = { content, embeds, username: input.username, avatar_url };
  const path = withQuery(`/hooks/${webhook.id}/${params.token}`, { wait: "true", thread_id });
  const sent = await api.send<Message>("POST", path, hasFiles ? filesForm(files, payload) : payload).catch(refuseToken);
  if (!isSet(query, "wait")) return undefined;
  const place = { kind: "channel", id: webhook.channel_id, serverId: webhook.server_id } as const;
  return showMessage({ api, database, origin: call.origin, botUserId: bot?.userId ?? "" }, place, sent);
}

/** If the webhook exists, its token was wrong. */
function refuseToken(error: unknown): never {
  throw error instanceof DiscordError && error.code === 10015 ? discordError(50027) : error;
}

/** Passes the bodies of other services on unchanged. */
async function passOn(call: Call, kind: "slack" | "github") {
  const { api, params, request } = call;
  const { id } = await webhookOf(call);
  const headers: Record<string, string> = {};
  const event = request.get("x-github-event");
  if (event !== undefined) headers["x-github-event"] = event;
  const body = new RawBody(request.get("content-type") ?? "application/json", await readBytes(request));
  await api.send("POST", `/hooks/${id}/${params.token}/${kind}`, body, headers).catch(refuseToken);
  return kind === "slack" ? new Answer(200, new PlainText("ok")) : undefined;
}

/** A webhook by its token alone, changed or not. */
async function byTokenAlone(call: Call, fields: object) {
  const webhook = await webhookOf(call);
  const path = `/hooks/${webhook.id}/${call.params.token}`;
  const shown = await call.api.send<IncomingWebhook>("PATCH", path, fields).catch(refuseToken);
  const { user: _user, ...others } = await showOne(call, webhook.server_id, {
    ...shown,
    token: call.params.token ?? "",
  });
  return others;
}

const tokenChange = z.object({ name: z.string().min(1).max(80).nullish() });

/** A message of the webhook in the path, and the address of the api for it. */
async function ownMessageOf(call: Call) {
  const webhook = await webhookOf(call);
  const id = await call.id("message", call.params.message_id ?? "", 10008, webhook.channel_id);
  return { webhook, path: `/hooks/${webhook.id}/${call.params.token}/messages/${id}` };
}

async function showOwn(call: Call, webhook: Found, path: string) {
  const message = await call.api.get<DetailedMessage>(path).catch(refuseToken);
  const place = { kind: "channel", id: webhook.channel_id, serverId: webhook.server_id } as const;
  return showMessage({ ...call, botUserId: "" }, place, message);
}

async function getMessage(call: Call) {
  const { webhook, path } = await ownMessageOf(call);
  return showOwn(call, webhook, path);
}

async function editOwn(call: Call) {
  const { webhook, path } = await ownMessageOf(call);
  const { body, files } = await readBodyWithFiles(call.request);
  if (files.length > 0) throw unsupported(["files"], "Adding files to a message of a webhook");
  const { content, embeds } = await ownMessage(call, webhook.server_id, readInput(messageInput, body));
  if (content !== undefined || embeds !== undefined)
    await call.api.send("PATCH", path, { content, embeds }).catch(refuseToken);
  return showOwn(call, webhook, path);
}

async function deleteOwn(call: Call) {
  const { path } = await ownMessageOf(call);
  await call.api.send("DELETE", path).catch(refuseToken);
}

const byId = "/webhooks/:webhook_id";
const byToken = `${byId}/:token`;
const { followUp, getAnswer, editAnswer, deleteAnswer, withMessage } = interactionAnswers;

/** An answer to an interaction, or a message of a webhook: they have the same addresses. */
const eitherOf =
  (ofInteraction: (call: Call) => Promise<unknown>, ofWebhook: (call: Call) => Promise<unknown>) => (call: Call) =>
    isInteraction(call) ? ofInteraction(call) : ofWebhook(call);

export const webhookRoutes = [
  route("GET", "/channels/:channel_id/webhooks", async (call) => {
    const place = await channelOf(call);
    return listOf(call, place.serverId, place.id);
  }),
  route("POST", "/channels/:channel_id/webhooks", async (call) => {
    const place = await channelOf(call);
    const { name } = readInput(newWebhook, call.body);
    const path = `/servers/${place.serverId}/incoming-webhooks`;
    const fields = { channel_id: place.id, name };
    return showOne(call, place.serverId, await call.api.send<IncomingWebhookWithToken>("POST", path, fields));
  }),
  route("GET", "/guilds/:guild_id/webhooks", async (call) => listOf(call, await serverOf(call), null)),
  route("GET", byId, async (call) => {
    const { id, server_id } = await webhookOf(call);
    const webhook = await call.api.get<IncomingWebhook>(`/servers/${server_id}/incoming-webhooks/${id}`);
    return showOne(call, server_id, webhook);
  }),
  route("PATCH", byId, changeWebhook),
  route("DELETE", byId, async (call) => {
    const { id, server_id } = await webhookOf(call);
    await call.api.send("DELETE", `/servers/${server_id}/incoming-webhooks/${id}`);
  }),
  openRoute("GET", byToken, (call) => byTokenAlone(call, {})),
  openRoute("PATCH", byToken, (call) => {
    const { name } = readInput(tokenChange, call.body);
    return byTokenAlone(call, name ? { name } : {});
  }),
  openRoute("DELETE", byToken, async (call) => {
    const { id } = await webhookOf(call);
    await call.api.send("DELETE", `/hooks/${id}/${call.params.token}`).catch(refuseToken);
  }),
  openRoute("POST", byToken, eitherOf(followUp, execute), { takesFiles: true }),
  openRoute("POST", `${byToken}/slack`, (call) => passOn(call, "slack"), { takesFiles: true }),
  openRoute("POST", `${byToken}/github`, (call) => passOn(call, "github"), { takesFiles: true }),
  openRoute("GET", withMessage, eitherOf(getAnswer, getMessage)),
  openRoute("PATCH", withMessage, eitherOf(editAnswer, editOwn), { takesFiles: true }),
  openRoute("DELETE", withMessage, eitherOf(deleteAnswer, deleteOwn)),
];
