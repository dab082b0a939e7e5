import { BulkBan, errorTexts, Raid, RaidEnd } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { permission, right } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { bansBody } from "../moderation/schema.js";
import { setRaidBody } from "./schema.js";
import type { RaidService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/raid";
const may = inServer(right("manage_raids", errorTexts.missing_permission));

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
        may,
        success: ok(Raid),
      },
      async ({ may }) => raids.get((await may.access()).serverId),
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
        may,
        body: setRaidBody,
        success: ok(RaidEnd),
        errors: { invalid_input: [errorTexts.minutes_range] },
      },
      ({ may, body }) => raids.set(may, body.minutes),
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
        may,
        success: noContent("Ended, or not under raid"),
      },
      ({ may }) => raids.end(may),
    ),
    route(
      {
        method: "post",
        path: `${path}/ban`,
        name: "safety.banRaiders",
        summary: "Ban everybody who joined during the latest raid",
        caller: "account",
        causes: [
          "MEMBER_BAN",
          "MEMBER_LEAVE",
          "SERVER_LEAVE",
          "COMMANDS_UPDATE",
          "VOICE_STATE_UPDATE",
          "GO_LIVE_STOP",
          "AUDIT_LOG_ENTRY_CREATE",
        ],
        params,
        may: inServer(permission("BAN_MEMBERS", errorTexts.missing_permission)),
        body: bansBody,
        success: ok(BulkBan),
        errors: { invalid_input: [errorTexts.reason_length, errorTexts.delete_message_seconds_range] },
      },
      ({ may, body }) => raids.ban(may, body),
    ),
  ];
}
