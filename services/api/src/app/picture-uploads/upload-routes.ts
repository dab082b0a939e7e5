import {
  Bot,
  type ClientEventName,
  errorTexts,
  GroupChannel,
  type PictureShape,
  pictureBytesMax,
  Server,
  User,
} from "@parley/contracts";
import type { Request, Response } from "express";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { ownBot, requireInForce } from "../../apps/bots/may.js";
import type { BotService } from "../../apps/bots/service.js";
import { type ServerService, updateRight } from "../../community/servers/service.js";
import { mayChangeIcon } from "../../conversations/groups/may.js";
import type { GroupService } from "../../conversations/groups/service.js";
import { InstanceSettings } from "../../operators/instance-settings/schema.js";
import type { InstanceSettingsService } from "../../operators/instance-settings/service.js";
import type { Pictures } from "../../people/pictures/service.js";
import type { UserService } from "../../people/users/service.js";
import { pictureFormBytesMax } from "../../platform/files/pictures/limits.js";
import { identifier } from "../../platform/http/input.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { untilLeft } from "../../platform/http/until-left.js";

/** The form of a picture, for the API description; its part is judged by `readPictureForm`. */
const body = z.object({ image: z.string().meta({ format: "binary" }) });
const form = {
  tag: "pictures",
  body,
  bodyContentType: "multipart/form-data",
  bodyBytes: { "multipart/form-data": pictureFormBytesMax },
} as const;

const description =
  "PNG, JPEG, WebP and GIF, decided by the bytes. It is cut to its middle square and kept without its metadata in edges " +
  "of 512, 128 and 64 pixels; a GIF of 2 MB at most stays animated.";
const bannerDescription =
  "As the picture, but cut to its middle of 16:9, and kept in widths of 960, 240 and 120 pixels, which `size` names 512, 128 " +
  "and 64.";
const params = z.object({ id: identifier });
const pictureErrors = [
  errorTexts.emoji_image_required,
  errorTexts.emoji_image_empty,
  errorTexts.image_too_large(pictureBytesMax / 1024 / 1024),
  errorTexts.emoji_image_type,
  errorTexts.image_unreadable,
  errorTexts.invalid_multipart,
  errorTexts.storage_quota_exceeded,
];
const accountEvents = ["USER_UPDATE", "MEMBER_UPDATE"] as const satisfies ClientEventName[];
const revoked = [errorTexts.bot_revoked];
const rate_limited = [errorTexts.rate_limited];

interface Owners {
  pictures: Pictures;
  users: UserService;
  servers: ServerService;
  bots: BotService;
  groups: GroupService;
  settings: InstanceSettingsService;
}

/** Opened once the caller has shown the right to set the picture. */
const sent = ({ request, response }: { request: Request; response: Response }) => ({
  form: openMultipart(request, { bytesMax: pictureFormBytesMax }),
  signal: untilLeft(response),
});

/** Setting and removing the pictures of people, servers, bots and groups (docs/protocol/communities.md#28.5). */
export function pictureUploadRoutes(owners: Owners): Route[] {
  return [
    ...ofAccount(owners),
    ...ofServers(owners),
    ...ofBots(owners),
    ...ofGroups(owners),
    ...ofInstallation(owners),
  ];
}

function ofInstallation({ pictures, settings }: Owners): Route[] {
  const path = "/admin/settings/logo";
  const causes = none("the settings of the instance are read when a page shows them");
  return [
    route(
      {
        ...form,
        method: "put",
        path,
        name: "admin.setLogo",
        summary: "Upload the logo of the installation",
        description,
        caller: "admin",
        causes,
        success: ok(InstanceSettings),
        errors: { invalid_input: pictureErrors, rate_limited },
      },
      (input) => {
        const { userId } = input.identity;
        return pictures.upload(userId, sent(input), ({ url, keep }) => settings.setLogo(userId, url, keep));
      },
    ),
    route(
      {
        method: "delete",
        path,
        name: "admin.removeLogo",
        tag: "pictures",
        summary: "Remove the logo of the installation",
        caller: "admin",
        causes,
        success: noContent(),
      },
      async ({ identity }) => {
        await settings.setLogo(identity.userId, null);
      },
    ),
  ];
}

function ofAccount({ pictures, users }: Owners): Route[] {
  const path = "/users/@me/avatar";
  return [
    route(
      {
        ...form,
        method: "post",
        path,
        name: "users.setAvatar",
        summary: "Upload the picture of the caller's account",
        description,
        caller: "account",
        causes: accountEvents,
        success: ok(User),
        errors: { invalid_input: pictureErrors, rate_limited },
      },
      (input) =>
        pictures.upload(input.identity.userId, sent(input), ({ url, keep }) =>
          users.setAvatar(input.identity.userId, url, keep),
        ),
    ),
    route(
      {
        method: "delete",
        path,
        name: "users.removeAvatar",
        tag: "pictures",
        summary: "Remove the picture of the caller's account",
        caller: "account",
        causes: accountEvents,
        success: noContent(),
      },
      async ({ identity }) => {
        await users.setAvatar(identity.userId, null);
      },
    ),
  ];
}

function ofServers(owners: Owners): Route[] {
  const icon = { word: "picture", column: "icon_url", shape: "square", set: "setIcon", remove: "removeIcon" } as const;
  const banner = {
    word: "banner",
    column: "banner_url",
    shape: "banner",
    set: "setBanner",
    remove: "removeBanner",
  } as const;
  return [
    ...ofServer(owners, { ...icon, path: "/servers/:id/icon", description }),
    ...ofServer(owners, { ...banner, path: "/servers/:id/banner", description: bannerDescription }),
  ];
}

function ofServer(
  { pictures, servers }: Owners,
  kind: {
    word: string;
    column: "icon_url" | "banner_url";
    shape: PictureShape;
    set: string;
    remove: string;
    path: string;
    description: string;
  },
): Route[] {
  const { word, column, shape, path } = kind;
  return [
    route(
      {
        ...form,
        method: "post",
        path,
        name: `servers.${kind.set}`,
        summary: `Upload the ${word} of a server`,
        description: kind.description,
        caller: "account",
        causes: ["SERVER_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(updateRight),
        success: ok(Server),
        errors: { invalid_input: pictureErrors, rate_limited },
      },
      async (input) => {
        const { may } = input;
        const { userId, serverId } = await may.access();
        return pictures.upload(userId, { ...sent(input), shape, to: { serverId } }, ({ url, keep }) =>
          servers.update(may, { [column]: url }, keep),
        );
      },
    ),
    route(
      {
        method: "delete",
        path,
        name: `servers.${kind.remove}`,
        tag: "pictures",
        summary: `Remove the ${word} of a server`,
        caller: "account",
        causes: ["SERVER_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may: inServer(updateRight),
        success: noContent(),
      },
      async ({ may }) => {
        await servers.update(may, { [column]: null });
      },
    ),
  ];
}

function ofBots({ pictures, bots }: Owners): Route[] {
  const path = "/bots/:id/avatar";
  return [
    route(
      {
        ...form,
        method: "post",
        path,
        name: "bots.setAvatar",
        summary: "Upload the picture of a bot's account",
        description,
        caller: "bot owner",
        causes: accountEvents,
        params,
        may: ownBot,
        success: ok(Bot),
        errors: { invalid_input: [...revoked, ...pictureErrors], rate_limited },
      },
      async (input) => {
        const { may, identity } = input;
        requireInForce(await may.access());
        return pictures.upload(identity.userId, sent(input), ({ url, keep }) => bots.setAvatar(may, url, keep));
      },
    ),
    route(
      {
        method: "delete",
        path,
        name: "bots.removeAvatar",
        tag: "pictures",
        summary: "Remove the picture of a bot's account",
        caller: "bot owner",
        causes: accountEvents,
        params,
        may: ownBot,
        success: noContent(),
        errors: { invalid_input: revoked },
      },
      async ({ may }) => {
        await bots.setAvatar(may, null);
      },
    ),
  ];
}

function ofGroups({ pictures, groups }: Owners): Route[] {
  const path = "/dm-channels/:id/icon";
  return [
    route(
      {
        ...form,
        method: "post",
        path,
        name: "directMessages.setGroupIcon",
        summary: "Upload the picture of a group",
        description,
        caller: "account",
        causes: ["DM_CHANNEL_UPDATE"],
        params,
        may: mayChangeIcon,
        success: ok(GroupChannel),
        errors: { invalid_input: [errorTexts.not_a_group, ...pictureErrors], rate_limited },
      },
      async (input) => {
        const { may } = input;
        const { userId } = await may.access();
        return pictures.upload(userId, sent(input), ({ url, keep }) => groups.setIcon(may, url, keep));
      },
    ),
    route(
      {
        method: "delete",
        path,
        name: "directMessages.removeGroupIcon",
        tag: "pictures",
        summary: "Remove the picture of a group",
        caller: "account",
        causes: ["DM_CHANNEL_UPDATE"],
        params,
        may: mayChangeIcon,
        success: noContent(),
        errors: { invalid_input: [errorTexts.not_a_group] },
      },
      async ({ may }) => {
        await groups.setIcon(may, null);
      },
    ),
  ];
}
