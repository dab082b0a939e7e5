import type { ModerationBit } from "@parley/permissions";
import { useState } from "react";
import { onMemberRemove, timeoutSince } from "../../state/server-events.js";
import { useApp } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { ConfirmDialog } from "../../ui/confirm.js";
import { Choice, TextField } from "../../ui/field.js";
import { showDuration } from "../../ui/show.js";
import { DurationOptions } from "./durations.js";

const defaultMinutes = 10;
const banSeconds = [3_600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];
const deletedSeconds = [3_600, 86_400, 7 * 86_400];

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
  const [ban, setBan] = useState<BanTerms>({ seconds: 0, deleted: 0 });
  const body = reason.trim() === "" ? {} : { reason: reason.trim() };
  const member = { server_id: serverId, user_id: userId, reason: null };
  const act = async () => {
    if (bit === "MUTE_MEMBERS") {
      await store.change(
        () => client.moderation.timeout(serverId, userId, { duration_minutes: Number(minutes), ...body }),
        (state, { expires_at }, since) => timeoutSince(state, member, expires_at, since),
      );
      return;
    }
    if (bit === "KICK_MEMBERS") await client.moderation.kick(serverId, userId, body);
    else await client.moderation.ban(serverId, userId, { ...body, ...termsOf(ban) });
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
      {bit === "BAN_MEMBERS" ? <BanFields terms={ban} onChange={setBan} /> : null}
      <TextField
        label={labels.reason}
        maxLength={512}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

/** How long a ban lasts, and messages of which time are deleted, both in seconds; 0 for good and for none. */
interface BanTerms {
  seconds: number;
  deleted: number;
}

const termsOf = ({ seconds, deleted }: BanTerms) => ({
  ...(seconds === 0 ? {} : { expires_in_minutes: seconds / 60 }),
  ...(deleted === 0 ? {} : { delete_message_seconds: deleted }),
});

function BanFields({ terms, onChange }: { terms: BanTerms; onChange: (terms: BanTerms) => void }) {
  const labels = texts.serverSettings.members;
  return (
    <>
      <Choice
        label={labels.banDuration}
        value={terms.seconds}
        onChange={(event) => onChange({ ...terms, seconds: Number(event.currentTarget.value) })}
      >
        <option value={0}>{labels.banForGood}</option>
        <DurationOptions seconds={banSeconds} />
      </Choice>
      <Choice
        label={labels.banMessages}
        value={terms.deleted}
        onChange={(event) => onChange({ ...terms, deleted: Number(event.currentTarget.value) })}
      >
        <option value={0}>{labels.banNoMessages}</option>
        {deletedSeconds.map((seconds) => (
          <option key={seconds} value={seconds}>
            {labels.banMessagesOf(showDuration(seconds))}
          </option>
        ))}
      </Choice>
    </>
  );
}
