import { generateToken, hashToken } from "@parley/auth";
import { type Calendar, errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toICalendar } from "./icalendar.js";
import { findCalendarEvents, findOwner, setSecret } from "./repository.js";

/** Path of calendars; the secret follows. */
export const calendarsPath = "/calendars";

/** @param options.publicUrl address of the installation; undefined for the one that a client used */
export function createCalendars(options: { database: Database; publicUrl: string | undefined }) {
  const { database } = options;
  const publicUrl = options.publicUrl?.replace(/\/+$/, "");
  return {
    /** Makes a new secret; calendars at the address from before end. @param address that the client used */
    async make(userId: string, address: string): Promise<Calendar> {
      const secret = generateToken();
      await setSecret(database, userId, hashToken(secret));
      return { url: `${publicUrl ?? address}/api${calendarsPath}/${secret}` };
    },

    /** The events that the account of the secret is interested in and may see now. @param address that the client used */
    async read(secret: string, address: string): Promise<string> {
      const userId = await findOwner(database, hashToken(secret));
      if (userId === null) throw notFound(errorTexts.calendar_not_found);
      return toICalendar(await findCalendarEvents(database, userId), publicUrl ?? address);
    },
  };
}

export type Calendars = ReturnType<typeof createCalendars>;
