import type { Session } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import type { Written } from "@parley/outbox";
import { asked, type CallerRight } from "../../access/asked.js";
import { declare, type Need, requireAll } from "../../access/needs.js";
import { requireFactorFor } from "../../access/required-factor.js";
import type { May } from "../../platform/http/may.js";
import type { Kind, MessageAccess, MessageChange, MessagePath, PathIds } from "./kind.js";

/** A right to a message, asked for a caller. A change is ordered with everything that happens in the channel. */
export interface ToMessage<F extends MessageAccess> extends CallerRight<F, MessageChange<F>> {
  /**
   * Changes the message by a single statement, which checks the conditions that `Kind.recheck` leaves to it.
   *
   * @param before the result of `access`
   * @throws ServiceError with the errors that the right declares
   */
  write<T>(before: F, work: (session: Session, found: F) => Promise<Written<T>>): Promise<T>;
}

/**
 * The right to something with a message of a kind.
 *
 * @param rule.needs beyond those of reading it
 * @param rule.writes whether it reaches others as a message does
 */
export function toMessage<F extends MessageAccess>(
  kind: Kind<F>,
  path: MessagePath<F>,
  { needs = [], writes = false }: { needs?: readonly Need<F>[]; writes?: boolean } = {},
): May<PathIds, ToMessage<F>> {
  const { right, errors } = declare(kind.place, [...kind.reading, ...needs], path.missing);
  return {
    right,
    errors: { ...errors, forbidden: [...errors.forbidden, ...(writes ? kind.writing.refusals : [])] },
    ask(stores, { userId, params }) {
      const judge = async (connection: Queryable) => {
        const found = await path.find(connection, userId, params);
        requireAll(found, needs);
        await requireFactorFor(connection, found, needs);
        if (writes) await kind.writing.require(connection, found);
        return found;
      };
      const rule = { judge, scopesOf: ({ found }: F) => [kind.orderOf(found)] };
      const inOrder = asked<F, MessageChange<F>>(stores, rule, (change) => ({
        ...change,
        announce(name, payload) {
          for (const event of kind.eventsOf(change.access, name, payload)) change.emit(event);
        },
      }));
      return {
        ...inOrder,
        write: (before, work) =>
          stores.outbox.write(kind.orderOf(before.found), async (session) => {
            const now = await kind.recheck(session, before);
            if (writes) await kind.writing.require(session, now);
            return work(session, now);
          }),
      };
    },
  };
}
