import type { MemberRoleAddEvent, MemberRoleRemoveEvent } from "@parley/client";
import { useEffect } from "react";
import { useApp } from "../../state/use-app.js";

/**
 * Calls `onChange` after a role of the server was created, changed or deleted, by whomever, and after each READY, which
 * means that events were missed. Callers memoise `onChange`.
 */
export function useRoleEvents(serverId: string, onChange: () => void): void {
  const { gateway } = useApp();
  useEffect(() => {
    const ofServer = ({ server_id }: { server_id: string }) => {
      if (server_id === serverId) onChange();
    };
    const undo = [
      gateway.on("ROLE_CREATE", ofServer),
      gateway.on("ROLE_UPDATE", ofServer),
      gateway.on("ROLE_DELETE", ofServer),
      gateway.on("READY", () => onChange()),
    ];
    return () => {
      for (const step of undo) step();
    };
  }, [gateway, serverId, onChange]);
}

/** Calls `onGiven` and `onTaken` after a member of the server got or lost a role. Callers memoise both. */
export function useHolderEvents(
  serverId: string,
  onGiven: (event: MemberRoleAddEvent) => void,
  onTaken: (event: MemberRoleRemoveEvent) => void,
): void {
  const { gateway } = useApp();
  useEffect(() => {
    const undo = [
      gateway.on("MEMBER_ROLE_ADD", (event) => {
        if (event.server_id === serverId) onGiven(event);
      }),
      gateway.on("MEMBER_ROLE_REMOVE", (event) => {
        if (event.server_id === serverId) onTaken(event);
      }),
    ];
    return () => {
      for (const step of undo) step();
    };
  }, [gateway, serverId, onGiven, onTaken]);
}
