import { Check, Hash, ImagePlus, MessageSquare, UserPlus } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { useData } from "../../ui/data/use-data.js";
import { CreateChannelDialog } from "../shell/create-channel.js";
import { InviteDialog } from "../shell/invite-dialog.js";
import styles from "./first-steps.module.css";
import { StepsCard, toComposer } from "./steps-card.js";

/** The first steps of the owner of a new server; the server's data tick each. */
export function NewOwner({ serverId }: { serverId: string }) {
  const labels = texts.shell.firstSteps;
  const server = useAppState((state) => state.servers.find(({ id }) => id === serverId));
  const done = useDone(serverId);
  const end = useFirstSteps((steps) => steps.end);
  const [, navigate] = useLocation();
  const [dialog, open] = useState<"invite" | "channel" | null>(null);
  const isAllDone = Object.values(done).every(Boolean);
  useEffect(() => {
    if (isAllDone) end(serverId);
  }, [isAllDone, end, serverId]);
  if (server === undefined) return null;
  const close = () => open(null);
  return (
    <StepsCard serverId={serverId} title={labels.ownerTitle(server.name)} text={labels.ownerText}>
      <ul className={styles.steps}>
        <Step isDone={done.invite} label={labels.invite} icon={<UserPlus size={18} />} onStart={() => open("invite")} />
        <Step
          isDone={done.picture}
          label={labels.picture}
          icon={<ImagePlus size={18} />}
          onStart={() => navigate(`/servers/${serverId}/settings/overview`)}
        />
        <Step isDone={done.channel} label={labels.channel} icon={<Hash size={18} />} onStart={() => open("channel")} />
        <Step isDone={done.message} label={labels.message} icon={<MessageSquare size={18} />} onStart={toComposer} />
      </ul>
      <InviteDialog server={server} open={dialog === "invite"} onOpenChange={close} />
      <CreateChannelDialog serverId={serverId} open={dialog === "channel"} onOpenChange={close} />
    </StepsCard>
  );
}

function useDone(serverId: string) {
  const { client } = useApp();
  const invites = useData(useCallback((signal) => client.invites.list(serverId, { signal }), [client, serverId]));
  useGatewayEvent("INVITE_CREATE", (invite) => {
    if (invite.server_id === serverId) invites.set((all) => [...all, invite]);
  });
  const hasOthers = useAppState((state) => (state.memberCounts[serverId]?.total ?? 0) > 1);
  const picture = useAppState((state) => (state.servers.find(({ id }) => id === serverId)?.icon_url ?? null) !== null);
  const channel = useAppState((state) => hasLaterChannel(state, serverId));
  const message = useAppState((state) =>
    (state.channelIds[serverId] ?? []).some((id) =>
      state.histories[id]?.messages.some(({ author_id }) => author_id === state.me?.id),
    ),
  );
  return { invite: hasOthers || (invites.value?.length ?? 0) > 0, picture, channel, message };
}

/** The channels that come with a server, also those of a template, are made within this time; nobody types so fast. */
const withServerMs = 10_000;

/** Whether a channel was made after those that came with the server. */
function hasLaterChannel({ servers, channels, channelIds }: AppState, serverId: string): boolean {
  const server = servers.find(({ id }) => id === serverId);
  if (server === undefined) return false;
  const later = Date.parse(server.created_at) + withServerMs;
  return (channelIds[serverId] ?? []).some((id) => Date.parse(channels[id]?.created_at ?? "") > later);
}

function Step({
  isDone,
  label,
  icon,
  onStart,
}: {
  isDone: boolean;
  label: string;
  icon: ReactNode;
  onStart: () => void;
}) {
  return (
    <li>
      <button type="button" className={styles.step} data-done={isDone} onClick={onStart}>
        <span className={styles.mark} aria-hidden>
          {isDone ? <Check size={18} /> : icon}
        </span>
        {label}
        {isDone ? <span className={styles.spoken}>{texts.shell.firstSteps.done}</span> : null}
      </button>
    </li>
  );
}
