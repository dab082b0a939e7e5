import { z } from "zod";
import { allPermissionBits, permissionBits } from "../permission-bits.js";
import { rightNames } from "../rights.js";
import { timestamp, uuid } from "./identifiers.js";

/** The meaning of a bitfield's bits, for descriptions. */
export const permissionFieldText = `Sum of bits: ${Object.entries(permissionBits)
  .map(([name, bit]) => `${bit} ${name}`)
  .join(", ")}`;

/** Permission bits of a role or override (docs/protocol/permissions.md#3.1). */
export const permissionField = z.int().meta({
  minimum: 0,
  maximum: allPermissionBits,
  description: permissionFieldText,
  example: 1024,
});

/** Colour of a role that was created without one (docs/protocol/objects.md#4.8). */
export const defaultRoleColor = "#95a5a6";

/** A role of a server (docs/protocol/objects.md#4.8). */
export const Role = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string().meta({ minLength: 1, maxLength: 100, example: "Moderator" }),
    permissions: permissionField,
    color: z.string().meta({ example: defaultRoleColor }),
    position: z.int().meta({ minimum: 0, description: "Higher outranks lower", example: 1 }),
    created_at: timestamp,
    rights: z
      .array(z.enum(rightNames))
      .optional()
      .meta({
        description: "Only when the request asks for it or names it, and on connections with `v=2`",
        example: ["review_reports"],
      }),
    mentionable: z.boolean().optional().meta({
      description: "Whether every member may mention it; absent if not, and on connections without `v=2`",
      example: true,
    }),
  })
  .meta({ id: "Role" });
export type Role = z.infer<typeof Role>;
