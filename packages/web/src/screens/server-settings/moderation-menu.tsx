import type { Member } from "@parley/client";
import type { ModerationBit } from "@parley/permissions";
import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { RowMenu } from "../../ui/row-menu.js";
import { useAction } from "../../ui/use-action.js";
import { ModerationDialog } from "../actions/moderation-dialog.js";
import type { ServerSectionProps } from "./section-props.js";

/** Timeout, kick and ban of a member. `onChange` gets the changed member, null after a removal. */
export function ModerationMenu({
  serverId,
  may,
  member,
  onChange,
}: {
  serverId: string;
  may: ServerSectionProps["may"];
  member: Member;
  onChange: (change: Member | null) => void;
}) {
  const { client } = useSession();
  const labels = texts.serverSettings.members;
  const [asked, setAsked] = useState<ModerationBit | null>(null);
  const { user_id: userId, username } = member;
  const endTimeout = useAction(async () => {
    await client.moderation.endTimeout(serverId, userId);
    onChange({ ...member, timeout_expires_at: null });
  });
  const action = (bit: ModerationBit, label: string) =>
    may(bit) ? { label, danger: true, onSelect: () => setAsked(bit) } : null;
  const isTimedOut = member.timeout_expires_at !== null;
  return (
    <>
      <ErrorNote error={endTimeout.error} />
      <RowMenu
        name={username}
        actions={[
          !isTimedOut
            ? action("MUTE_MEMBERS", labels.timeout)
            : may("MUTE_MEMBERS")
              ? { label: labels.endTimeout, onSelect: () => void endTimeout.run() }
              : null,
          action("KICK_MEMBERS", labels.kick),
          action("BAN_MEMBERS", labels.ban),
        ]}
      />
      {asked === null ? null : (
        <ModerationDialog
          bit={asked}
          serverId={serverId}
          userId={userId}
          username={username}
          onClose={() => setAsked(null)}
          onDone={(until) => onChange(until === null ? null : { ...member, timeout_expires_at: until })}
        />
      )}
    </>
  );
}
