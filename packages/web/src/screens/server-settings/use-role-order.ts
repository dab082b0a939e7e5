import type { Role } from "@parley/client";
import { canActOnRole, highestRolePosition } from "@parley/permissions";
import { useCallback, useRef, useState } from "react";
import { newPositions } from "../../state/positions.js";
import { createTurns } from "../../state/turns.js";
import { useApp } from "../../state/use-app.js";
import { useAction } from "../../ui/use-action.js";
import type { Data } from "../../ui/use-data.js";
import { useRoleEvents } from "./use-role-events.js";

const nothing: readonly Role[] = [];

/**
 * The order of roles, which the user may change below their own highest one. A move is shown at once, and undone when
 * the server refuses it.
 *
 * @param roleIds the roles that the user holds
 */
export function useRoleOrder(
  { serverId, isOwner, roleIds }: { serverId: string; isOwner: boolean; roleIds: ReadonlySet<string> },
  { value, set, reload }: Data<Role[]>,
) {
  const { client } = useApp();
  const [inTurn] = useState(createTurns);
  const moves = useRef(0);
  // The events of a move come one by one: the order between them is not to be shown.
  const follow = useCallback(() => {
    if (moves.current === 0) void reload();
  }, [reload]);
  useRoleEvents(serverId, follow);
  const roles = value ?? nothing;
  const rolePositions = roles.filter(({ id }) => roleIds.has(id)).map(({ position }) => position);
  const movable = roles.filter(({ position }) => canActOnRole({ isOwner, rolePositions }, position));
  const positionMax = isOwner ? Number.POSITIVE_INFINITY : highestRolePosition(rolePositions) - 1;
  const { run, error } = useAction(async (id: string, overId: string) => {
    const changes = roleChanges(movable, { id, overId, positionMax });
    set((before) => withPositions(before, changes));
    moves.current += 1;
    try {
      await inTurn(serverId, async () => {
        for (const [roleId, position] of changes) await client.roles.update(serverId, roleId, { position });
      });
    } finally {
      moves.current -= 1;
      follow();
    }
  });
  return { movable, move: (id: string, overId: string) => void run(id, overId), error };
}

/** New positions by role, after one was dropped on another; roles are listed from the highest position down. */
function roleChanges(
  roles: readonly Role[],
  { id, overId, positionMax }: { id: string; overId: string; positionMax: number },
): Map<string, number> {
  const to = roles.findIndex((role) => role.id === overId);
  const moved = roles.filter((role) => role.id === id);
  const upwards = roles
    .filter((role) => role.id !== id)
    .toSpliced(to, 0, ...moved)
    .toReversed();
  const positions = newPositions(
    upwards.map(({ position }) => position),
    positionMax,
  );
  return new Map(
    upwards.flatMap((role, index): [string, number][] => {
      const position = positions[index] ?? role.position;
      return position === role.position ? [] : [[role.id, position]];
    }),
  );
}

const withPositions = (roles: readonly Role[], positions: ReadonlyMap<string, number>): Role[] =>
  roles
    .map((role) => ({ ...role, position: positions.get(role.id) ?? role.position }))
    .toSorted((a, b) => b.position - a.position);
