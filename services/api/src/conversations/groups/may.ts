import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import { asked, type CallerRight } from "../../access/asked.js";
import { declare, type Need, requireAll } from "../../access/needs.js";
import type { May } from "../../platform/http/may.js";
import { findGroups, requireParticipants } from "../direct-messages/participants-repository.js";
import { type GroupRow, ownerOf } from "../direct-messages/resource.js";
import { lockGroup } from "./repository.js";

/** A group, and a caller in it. */
export interface InGroup {
  userId: string;
  group: GroupRow;
}

/** @param refusal text of the 403 for others than the owner */
const groupOwner = (refusal: string): Need<InGroup> => ({
  right: "owner",
  refusal,
  isMet: ({ userId, group }) => ownerOf(group) === userId,
});

/** The right of everybody in a group; others get 404, and the channel of two is 400. */
export const mayChangeGroup = groupRight();

/** The right of the owner to change the picture. */
export const mayChangeIcon = groupRight({ needs: [groupOwner(errorTexts.group_icon_owner_only)] });

const removing = groupOwner(errorTexts.group_remove_owner_only);
/** The right to take somebody out of the group: oneself, or as its owner anybody. */
export const mayRemove = groupRight<{ id: string; user_id: string }>({
  missing: [errorTexts.dm_recipient_not_found],
  find({ members }, { user_id }) {
    if (!members.includes(user_id)) throw notFound(errorTexts.dm_recipient_not_found);
  },
  needs: [
    {
      ...removing,
      right: `oneself or ${removing.right}`,
      isMet: (access) => access.params.user_id === access.userId || removing.isMet(access),
    },
  ],
});

/** Changes are ordered with everything that happens in the group: over all processes, changes and messages follow each other. */
function groupRight<Params extends { id: string }>({
  missing = [],
  find,
  needs = [],
}: {
  /** Texts of the 404s of `find`. */
  missing?: readonly string[];
  find?: (group: GroupRow, params: Params) => void;
  needs?: readonly Need<InGroup & { params: Params }>[];
} = {}): May<Params, CallerRight<InGroup>> {
  return {
    ...declare("group", needs, [errorTexts.dm_channel_not_found, ...missing]),
    ask: (stores, { userId, params }) =>
      asked<InGroup>(stores, {
        async judge(connection) {
          const [group] = await findGroups(connection, [params.id]);
          if (group === undefined) {
            await requireParticipants(connection, params.id, userId);
            throw invalidInput(errorTexts.not_a_group);
          }
          if (!group.members.includes(userId)) throw notFound(errorTexts.dm_channel_not_found);
          find?.(group, params);
          requireAll({ userId, group, params }, needs);
          return { userId, group };
        },
        scopesOf: () => [{ dm_channel_id: params.id }],
        lock: (transaction) => lockGroup(transaction, params.id),
      }),
  };
}
