import { caps, errorTexts, GroupChannel, groupPeopleMax } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { updateGroupBody } from "../direct-messages/schema.js";
import { mayChangeGroup, mayRemove } from "./may.js";
import type { GroupService } from "./service.js";

const params = z.object({ id: identifier });
const recipientParams = params.extend({ user_id: identifier });
const path = "/dm-channels/:id";
const recipientPath = `${path}/recipients/:user_id`;

/** The actions of members on their group (docs/protocol/conversations.md#28.2). */
export function groupRoutes(groups: GroupService): Route[] {
  return [
    route(
      {
        method: "patch",
        path,
        name: "directMessages.updateGroup",
        summary: "Name a group",
        caller: "account",
        causes: ["DM_CHANNEL_UPDATE"],
        params,
        may: mayChangeGroup,
        body: updateGroupBody,
        success: ok(GroupChannel),
        errors: { invalid_input: [errorTexts.group_name_length, errorTexts.not_a_group] },
      },
      ({ may, body }) => groups.rename(may, body.name),
    ),
    route(
      {
        method: "put",
        path: recipientPath,
        name: "directMessages.addToGroup",
        summary: "Add somebody to a group",
        description: `Everybody in it may, up to ${groupPeopleMax} people.`,
        caller: "account",
        causes: ["DM_CHANNEL_CREATE", "DM_CHANNEL_UPDATE"],
        params: recipientParams,
        may: mayChangeGroup,
        success: noContent("Added, or in it already"),
        errors: {
          invalid_input: [errorTexts.not_a_group, errorTexts.group_full(groupPeopleMax), capText(caps.groups)],
          not_found: [errorTexts.user_not_found],
          forbidden: [errorTexts.cannot_message_user],
        },
      },
      ({ may, params }) => groups.add(may, params.user_id),
    ),
    ...leaving(groups),
  ];
}

function leaving(groups: GroupService): Route[] {
  const causes = ["DM_CHANNEL_LEAVE", "DM_CHANNEL_UPDATE"] as const;
  return [
    route(
      {
        method: "delete",
        path: `${path}/recipients/@me`,
        name: "directMessages.leaveGroup",
        summary: "Leave a group",
        description: "Whoever has been in it for longest owns it then. The last one who leaves deletes it.",
        caller: "account",
        causes,
        params,
        may: mayChangeGroup,
        success: noContent(),
        errors: { invalid_input: [errorTexts.not_a_group] },
      },
      ({ may, identity }) => groups.remove(may, identity.userId),
    ),
    route(
      {
        method: "delete",
        path: recipientPath,
        name: "directMessages.removeFromGroup",
        summary: "Remove somebody from a group",
        description: "The owner; with one's own id: leave it.",
        caller: "account",
        causes,
        params: recipientParams,
        may: mayRemove,
        success: noContent(),
        errors: { invalid_input: [errorTexts.not_a_group] },
      },
      ({ may, params }) => groups.remove(may, params.user_id),
    ),
  ];
}
