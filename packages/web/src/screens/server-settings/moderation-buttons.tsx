import type { Member } from "@parley/client";
import { useState } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/confirm.js";
import { TextField } from "../../ui/field.js";
import { useAction } from "../../ui/use-action.js";
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
  const [reason, setReason] = useState("");
  const [minutes, setMinutes] = useState("10");
  const { user_id: userId, username } = member;
  const body = () => (reason.trim() === "" ? {} : { reason: reason.trim() });
  const reasonField = (
    <TextField
      label={names.reason}
      maxLength={512}
      value={reason}
      onChange={(event) => setReason(event.currentTarget.value)}
    />
  );
  const endTimeout = useAction(async () => {
    await client.moderation.endTimeout(serverId, userId);
    onChange({ ...member, timeout_expires_at: null });
  });
  return (
    <>
      <ErrorNote error={endTimeout.error} />
      {!may("MUTE_MEMBERS") ? null : member.timeout_expires_at === null ? (
        <ConfirmButton
          label={names.timeout}
          title={names.timeoutTitle(username)}
          explanation={names.timeoutExplanation}
          onConfirm={async () => {
            const timeout = await client.moderation.timeout(serverId, userId, {
              duration_minutes: Number(minutes),
              ...body(),
            });
            onChange({ ...member, timeout_expires_at: timeout.expires_at });
          }}
        >
          <TextField
            label={names.minutes}
            type="number"
            min={1}
            value={minutes}
            onChange={(event) => setMinutes(event.currentTarget.value)}
          />
          {reasonField}
        </ConfirmButton>
      ) : (
        <Button kind="quiet" disabled={endTimeout.isBusy} onClick={() => endTimeout.run()}>
          {names.endTimeout}
        </Button>
      )}
      {may("KICK_MEMBERS") ? (
        <ConfirmButton
          label={names.kick}
          title={names.kickTitle(username)}
          explanation={names.kickExplanation}
          onConfirm={async () => {
            await client.moderation.kick(serverId, userId, body());
            onChange(null);
          }}
        >
          {reasonField}
        </ConfirmButton>
      ) : null}
      {may("BAN_MEMBERS") ? (
        <ConfirmButton
          label={names.ban}
          title={names.banTitle(username)}
          explanation={names.banExplanation}
          onConfirm={async () => {
            await client.moderation.ban(serverId, userId, body());
            onChange(null);
          }}
        >
          {reasonField}
        </ConfirmButton>
      ) : null}
    </>
  );
}
