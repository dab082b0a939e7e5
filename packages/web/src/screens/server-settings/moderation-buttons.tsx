import type { Member } from "@parley/client";
import type { ModerationBit } from "@parley/permissions";
import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { useAction } from "../../ui/use-action.js";
import { ModerationDialog } from "../actions/moderation-dialog.js";
import type { ServerSectionProps } from "./section-props.js";

/** Kick, ban and timeout of a member. `onChange` gets the changed member, null after a removal. */
export function ModerationButtons({
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
  const names = texts.serverSettings.members;
  const [asked, setAsked] = useState<ModerationBit | null>(null);
  const { user_id: userId, username } = member;
  const endTimeout = useAction(async () => {
    await client.moderation.endTimeout(serverId, userId);
    onChange({ ...member, timeout_expires_at: null });
  });
  const button = (bit: ModerationBit, label: string) =>
    may(bit) ? (
      <Button kind="ask" onClick={() => setAsked(bit)}>
        {label}
      </Button>
    ) : null;
  return (
    <>
      <ErrorNote error={endTimeout.error} />
      {member.timeout_expires_at === null ? (
        button("MUTE_MEMBERS", names.timeout)
      ) : may("MUTE_MEMBERS") ? (
        <Button kind="quiet" disabled={endTimeout.isBusy} onClick={() => endTimeout.run()}>
          {names.endTimeout}
        </Button>
      ) : null}
      {button("KICK_MEMBERS", names.kick)}
      {button("BAN_MEMBERS", names.ban)}
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
