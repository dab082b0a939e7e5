import type { ModerationBit } from "@parley/permissions";
import { useApp } from "../../state/app/use-app.js";
import { onMemberRemove, timeoutSince } from "../../state/community/server-events.js";
import { texts } from "../../texts/texts.js";
import { textOf, textOrNull } from "../../ui/data/form.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { showDuration } from "../../ui/look/show.js";
import { ConfirmDialog } from "../../ui/overlays/confirm.js";
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
  const member = { server_id: serverId, user_id: userId, reason: null };
  const act = async (form: FormData) => {
    const reason = textOrNull(form, "reason");
    const body = reason === null ? {} : { reason };
    if (bit === "MUTE_MEMBERS") {
      await store.change(
        () =>
          client.moderation.timeout(serverId, userId, { duration_minutes: Number(textOf(form, "minutes")), ...body }),
        (state, { expires_at }, since) => timeoutSince(state, member, expires_at, since),
      );
      return;
    }
    if (bit === "KICK_MEMBERS") await client.moderation.kick(serverId, userId, body);
    else await client.moderation.ban(serverId, userId, { ...body, ...termsOf(form) });
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
        <TextField label={labels.minutes} name="minutes" type="number" min={1} defaultValue={defaultMinutes} />
      ) : null}
      {bit === "BAN_MEMBERS" ? <BanFields /> : null}
      <TextField label={labels.reason} name="reason" maxLength={512} />
    </ConfirmDialog>
  );
}

/** The duration of a ban, and the age of the messages to delete, both in seconds; 0 for good and for none. */
function termsOf(form: FormData): { expires_in_minutes?: number; delete_message_seconds?: number } {
  const [seconds, deleted] = [Number(textOf(form, "seconds")), Number(textOf(form, "deleted"))];
  return {
    ...(seconds === 0 ? {} : { expires_in_minutes: seconds / 60 }),
    ...(deleted === 0 ? {} : { delete_message_seconds: deleted }),
  };
}

function BanFields() {
  const labels = texts.serverSettings.members;
  return (
    <>
      <Choice label={labels.banDuration} name="seconds">
        <option value={0}>{labels.banForGood}</option>
        <DurationOptions seconds={banSeconds} />
      </Choice>
      <Choice label={labels.banMessages} name="deleted">
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
