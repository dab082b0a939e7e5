import { usePageState } from "../../state/use-page.js";

/** Reads out what others write in the conversation that is open. */
export function Announcer({ placeId }: { placeId: string }) {
  const text = usePageState((state) => {
    const history = state.histories[placeId];
    const last = history?.hasNewer === false ? history.messages.at(-1) : undefined;
    if (last === undefined || last.author_id === null || last.author_id === state.me?.id) return "";
    return `${state.profiles[last.author_id]?.username ?? ""}: ${last.content.slice(0, 300)}`;
  });
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
