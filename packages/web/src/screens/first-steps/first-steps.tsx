import { useCallback, useEffect, useRef } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { texts } from "../../texts/texts.js";
import { useData } from "../../ui/data/use-data.js";
import { Button } from "../../ui/look/button.js";
import { NewOwner } from "./new-owner.js";
import { StepsCard, toComposer } from "./steps-card.js";
import { WelcomeCard } from "./welcome-card.js";

/** The first steps in a server that was made or joined on this device, until they are done or dismissed. */
export function FirstSteps({ serverId, channelName }: { serverId: string; channelName: string | null }) {
  const beginner = useFirstSteps(({ beginners }) => beginners[serverId]);
  const isOwner = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  if (beginner === "owner" && isOwner) return <NewOwner serverId={serverId} />;
  return channelName === null ? null : <NewMember serverId={serverId} channelName={channelName} />;
}

/** Shows a new member the server and the place to write; ends with their first message. */
function NewMember({ serverId, channelName }: { serverId: string; channelName: string }) {
  const labels = texts.shell.firstSteps;
  const name = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.name);
  const sent = useAppState((state) =>
    (state.channelIds[serverId] ?? []).reduce((sum, id) => sum + (state.pending[id]?.length ?? 0), 0),
  );
  const end = useFirstSteps((steps) => steps.end);
  const before = useRef(sent);
  useEffect(() => {
    if (sent > before.current) end(serverId);
    before.current = sent;
  }, [sent, end, serverId]);
  const { client } = useApp();
  const onboarding = useData(useCallback((signal) => client.onboarding.get(serverId, { signal }), [client, serverId]));
  if (name === undefined) return null;
  // The usual card stands there where nothing can be read.
  if (onboarding.value === null && onboarding.error === null) return null;
  if (onboarding.value?.enabled === true) {
    return <WelcomeCard serverId={serverId} name={name} onboarding={onboarding.value} />;
  }
  return (
    <StepsCard serverId={serverId} title={labels.memberTitle(name)} text={labels.memberText(channelName)}>
      <Button onClick={toComposer}>{labels.sayHello}</Button>
    </StepsCard>
  );
}
