import type { ModerationBit } from "@parley/permissions";
import { useState } from "react";
import { onMemberRemove, onTimeout } from "../../state/server-events.js";
import { useApp } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { ConfirmDialog } from "../../ui/confirm.js";
import { TextField } from "../../ui/field.js";

const defaultMinutes = 10;

/** Asks for the reason before somebody is timed out, kicked or banned. */
export function ModerationDialog({
  bit,
  serverId,
  userId,
  username,
  onClose,
}: {
  bit: ModerationBit;
  serverId: string;
  userId: string;
  username: string;
  onClose: () => void;
}) {
  const { client, store } = useApp();
  const labels = texts.serverSettings.members;
  const [reason, setReason] = useState("");
  const [minutes, setMinutes] = useState(String(defaultMinutes));
  const body = reason.trim() === "" ? {} : { reason: reason.trim() };
  const member = { server_id: serverId, user_id: userId, reason: null };
  const act = async () => {
    if (bit === "MUTE_MEMBERS") {
      const timeout = await client.moderation.timeout(serverId, userId, { duration_minutes: Number(minutes), ...body });
      store.apply((state) => onTimeout(state, member, timeout.expires_at));
      return;
    }
    if (bit === "KICK_MEMBERS") await client.moderation.kick(serverId, userId, body);
    else await client.moderation.ban(serverId, userId, body);
    store.apply((state) => onMemberRemove(state, member, bit === "KICK_MEMBERS" ? "kick" : "ban"));
  };
  const words = {
    MUTE_MEMBERS: {
      title: labels.timeoutTitle(username),
      explanation: labels.timeoutExplanation,
      confirmLabel: labels.timeout,
    },
    KICK_MEMBERS: { title: labels.kickTitle(username), explanation: labels.kickExplanation, confirmLabel: labels.kick },
    BAN_MEMBERS: { title: labels.banTitle(username), explanation: labels.banExplanation, confirmLabel: labels.ban },
  }[bit];
  return (
    <ConfirmDialog open onOpenChange={onClose} onConfirm={act} {...words}>
      {bit === "MUTE_MEMBERS" ? (
        <TextField
          label={labels.minutes}
          type="number"
          min={1}
          value={minutes}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
      ) : null}
      <TextField
        label={labels.reason}
        maxLength={512}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
