import { BlockList, caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import type { BlockService } from "./service.js";

const path = "/users/@me/blocks/:user_id";
const params = z.object({ user_id: identifier });

export function blockRoutes(blocks: BlockService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me/blocks",
        name: "blocks.list",
        summary: "List whom one has blocked",
        caller: "account",
        success: ok(BlockList),
      },
      ({ identity }) => blocks.list(identity.userId),
    ),
    route(
      {
        method: "put",
        path,
        name: "blocks.add",
        summary: "Block somebody",
        description:
          "Neither of the two can write to the other any more; their mentions do not count; a friendship or a request " +
          "for one ends. Nobody is told.",
        caller: "account",
        causes: ["BLOCK_UPDATE", "FRIEND_UPDATE"],
        params,
        success: noContent("Blocked, or blocked already"),
        errors: {
          invalid_input: [errorTexts.cannot_block_yourself, capText(caps.blocks)],
          not_found: [errorTexts.user_not_found],
        },
      },
      ({ identity, params }) => blocks.add(identity.userId, params.user_id),
    ),
    route(
      {
        method: "delete",
        path,
        name: "blocks.remove",
        summary: "Take a block back",
        caller: "account",
        causes: ["BLOCK_UPDATE"],
        params,
        success: noContent("Not blocked, or so already"),
        errors: { not_found: [errorTexts.user_not_found] },
      },
      ({ identity, params }) => blocks.remove(identity.userId, params.user_id),
    ),
  ];
}
