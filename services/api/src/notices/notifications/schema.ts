import { isTimeZone, mapOf, notificationLevels, notificationMails, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { instant, nonNull } from "../../platform/http/input.js";
import { namedFaults } from "../../platform/http/named-faults.js";

const level = z.enum(notificationLevels, `must be ${notificationLevels.join(", ")}`);
const ownLevel = level.nullable().optional();
const mutedUntil = z
  .union([z.literal("forever"), instant("must be a timestamp")], 'must be a timestamp, "forever" or null')
  .nullable()
  .optional();
const time = z.string("must be a time as 22:00").regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time as 22:00");

/** Entries of one kind in one request. */
const entriesMax = 1_000;

/** Entries by id, each merged with the stored one; null removes one. */
const byId = <Z extends z.ZodType>(entry: Z) =>
  mapOf(uuidInput(), entry.nullable(), {
    max: entriesMax,
    error: ({ code }) => (code === "invalid_key" ? "must be an id" : "must be an object"),
  });

const fields = {
  default: z.object({ level: nonNull(level) }),
  servers: byId(z.object({ level: ownLevel, muted_until: mutedUntil, suppress_everyone: nonNull(z.boolean()) })),
  channels: byId(z.object({ level: ownLevel, muted_until: mutedUntil })),
  threads: byId(z.object({ level: ownLevel })),
  quiet: z
    .object({ from: time, to: time })
    .refine(({ from, to }) => from !== to, { path: ["to"], error: "must be another time than from" })
    .nullable(),
  timezone: z.string().refine(isTimeZone, "must be a time zone as Europe/Berlin"),
  push: z.object({ enabled: nonNull(z.boolean()), content: nonNull(z.boolean()) }),
  mail: z.enum(notificationMails, `must be ${notificationMails.join(", ")}`),
};

const part = <S extends z.ZodType>(root: string, schema: S) => namedFaults(root, schema).optional();

/** A fault is named by its path (docs/protocol/notifications.md#26.1). Null stands for a field that is left out, but for `quiet`. */
export const patchNotificationsBody = z.object({
  default: part("default", nonNull(fields.default)),
  servers: part("servers", nonNull(fields.servers)),
  channels: part("channels", nonNull(fields.channels)),
  threads: part("threads", nonNull(fields.threads)),
  quiet: part("quiet", fields.quiet.optional()),
  timezone: part("timezone", nonNull(fields.timezone)),
  push: part("push", nonNull(fields.push)),
  mail: part("mail", nonNull(fields.mail)),
});
export type PatchNotifications = z.output<typeof patchNotificationsBody>;
/** The same for the API description. */
export const describedNotificationsBody = z.object(fields).partial();
