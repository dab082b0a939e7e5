import { ChannelOverride, caps } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { cannotView } from "../../access/channel-access.js";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { noContent, ok, type Route, route } from "../../http/route.js";
import { roleErrors } from "../roles/error-texts.js";
import { userErrors } from "../users/error-texts.js";
import { overrideErrors } from "./override-error-texts.js";
import { putOverrideBody } from "./override-schema.js";
import type { ChannelOverrideService } from "./override-service.js";

const channelParams = z.object({ id: identifier });
const path = "/channels/:id/overrides";

export function channelOverrideRoutes(overrides: ChannelOverrideService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "channels",
        summary: "List a channel's permission overrides",
        caller: "account",
        params: channelParams,
        success: ok(z.array(ChannelOverride)),
        errors: { not_found: [accessErrors.channelNotFound], forbidden: [cannotView] },
      },
      ({ identity, params }) => overrides.list(identity.userId, params.id),
    ),
    route(
      {
        method: "put",
        path,
        tag: "channels",
        summary: "Create or replace the permission override of a role or member",
        caller: "account",
        params: channelParams,
        body: putOverrideBody,
        success: ok(ChannelOverride),
        errors: {
          invalid_input: [
            overrideErrors.noTarget,
            overrideErrors.twoTargets,
            "allow and deny must not have overlapping bits",
            "allow must be between 0 and 32767",
            "deny must be between 0 and 32767",
            overrideErrors.roleId,
            overrideErrors.userId,
            capText(caps.overrides),
          ],
          not_found: [accessErrors.channelNotFound, roleErrors.notFound, userErrors.notFound],
          forbidden: [overrideErrors.needManageToEdit, roleErrors.cannotGrant],
        },
      },
      ({ identity, params, body }) => overrides.put(identity.userId, params.id, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:override_id`,
        tag: "channels",
        summary: "Delete a permission override",
        caller: "account",
        params: channelParams.extend({ override_id: identifier }),
        success: noContent(),
        errors: {
          not_found: [accessErrors.channelNotFound, overrideErrors.notFound],
          forbidden: [overrideErrors.needManageToDelete],
        },
      },
      ({ identity, params }) => overrides.delete(identity.userId, params),
    ),
  ];
}
