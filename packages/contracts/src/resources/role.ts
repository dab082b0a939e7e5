import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** Colour of a role that was created without one (4.8). */
export const defaultRoleColor = "#95a5a6";

/** A role of a server (4.8). */
export const Role = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string(),
    permissions: z.int(),
    color: z.string(),
    position: z.int(),
    created_at: timestamp,
  })
  .meta({ id: "Role" });
export type Role = z.infer<typeof Role>;
