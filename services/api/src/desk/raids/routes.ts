import { BulkBan, errorTexts, Raid, RaidEnd } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { bansBody } from "../moderation/schema.js";
import { setRaidBody } from "./schema.js";
import type { RaidService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/raid";
const errors = { not_found: [errorTexts.server_not_found], forbidden: [errorTexts.missing_permission] };

export function raidRoutes(raids: RaidService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "safety.raid",
        summary: "Get whether a server is under raid, and how many joined",
        caller: "account",
        params,
        success: ok(Raid),
        errors,
      },
      ({ identity, params }) => raids.get(identity.userId, params.id),
    ),
    route(
      {
        method: "put",
        path,
        name: "safety.setRaid",
        summary: "Have a server be under raid from now on, or for another time",
        caller: "account",
        causes: ["SERVER_RAID_START", "SERVER_RAID_END"],
        params,
        body: setRaidBody,
        success: ok(RaidEnd),
        errors: { ...errors, invalid_input: [errorTexts.minutes_range] },
      },
      ({ identity, params, body }) => raids.set(identity.userId, params.id, body.minutes),
    ),
    route(
      {
        method: "delete",
        path,
        name: "safety.endRaid",
        summary: "End a raid",
        caller: "account",
        causes: ["SERVER_RAID_END"],
        params,
        success: noContent("Ended, or not under raid"),
        errors,
      },
      ({ identity, params }) => raids.end(identity.userId, params.id),
    ),
    route(
      {
        method: "post",
        path: `${path}/ban`,
        name: "safety.banRaiders",
        summary: "Ban everybody who joined during the latest raid",
        caller: "account",
        causes: ["MEMBER_BAN", "MEMBER_LEAVE", "SERVER_LEAVE", "COMMANDS_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        body: bansBody,
        success: ok(BulkBan),
        errors: { ...errors, invalid_input: [errorTexts.reason_length, errorTexts.delete_message_seconds_range] },
      },
      ({ identity, params, body }) => raids.ban(identity.userId, params.id, body),
    ),
  ];
}
