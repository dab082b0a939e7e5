import type { Role } from "@parley/client";
import { canActOnRole, highestRolePosition } from "@parley/permissions";
import { useMemo, useRef, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { newPositions } from "../../state/community/positions.js";
import { roleSince } from "../../state/community/server-events.js";
import { createTurns } from "../../state/platform/turns.js";
import { useAction } from "../../ui/data/use-action.js";

const nothing: readonly Role[] = [];
const unmoved: ReadonlyMap<string, number> = new Map();

/**
 * The roles of a server in their order, which the user may change below their own highest one. A move is shown at once,
 * and undone when the server refuses it.
 */
export function useRoleOrder(serverId: string, isOwner: boolean) {
  const { client, store } = useApp();
  const [inTurn] = useState(createTurns);
  const moves = useRef(0);
  /** Positions after the moves under way: their events come one by one, and the order between them is not to be shown. */
  const [moved, setMoved] = useState(unmoved);
  const stored = useAppState((state) => state.roles[serverId] ?? nothing);
  const own = useAppState((state) => state.members[serverId]?.[state.me?.id ?? ""]?.roles);
  const roles = useMemo(() => withPositions(stored, moved), [stored, moved]);
  const rolePositions = (own ?? []).map(({ position }) => position);
  const movable = roles.filter(({ position }) => canActOnRole({ isOwner, rolePositions }, position));
  const positionMax = isOwner ? Number.POSITIVE_INFINITY : highestRolePosition(rolePositions) - 1;
  const { run, error } = useAction(async (id: string, overId: string) => {
    const changes = roleChanges(movable, { id, overId, positionMax });
    setMoved((before) => new Map([...before, ...changes]));
    moves.current += 1;
    try {
      await inTurn(serverId, async () => {
        for (const [roleId, position] of changes) {
          await store.change(() => client.roles.update(serverId, roleId, { position }), roleSince);
        }
      });
    } finally {
      moves.current -= 1;
      if (moves.current === 0) setMoved(unmoved);
    }
  });
  return { roles, movable, move: (id: string, overId: string) => void run(id, overId), error };
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
