import { useFirstSteps } from "../../state/first-steps.js";
import { useAppState } from "../../state/use-app.js";
import { NewMember } from "./new-member.js";
import { NewOwner } from "./new-owner.js";

/** What to begin with in a server that was made or joined on this device, until it is done or dismissed. */
export function FirstSteps({ serverId, channelName }: { serverId: string; channelName: string | null }) {
  const beginner = useFirstSteps(({ beginners }) => beginners[serverId]);
  const isOwner = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.owner_id === state.me?.id);
  if (beginner === undefined) return null;
  if (beginner === "owner" && isOwner) return <NewOwner serverId={serverId} />;
  return channelName === null ? null : <NewMember serverId={serverId} channelName={channelName} />;
}
