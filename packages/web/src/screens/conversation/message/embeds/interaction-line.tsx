import { useApp } from "../../../../state/app/use-app.js";
import type { Interaction } from "../../../../state/store/app-state.js";
import { texts } from "../../../../texts/texts.js";
import { Button } from "../../../../ui/look/button.js";
import { composerElement } from "../../../actions/composer-element.js";
import pendingStyles from "../pending-item.module.css";
import { useAuthor } from "../use-author.js";

/** How far something is that a bot was asked, with a way to ask again when it failed. */
export function InteractionLine({ interaction }: { interaction: Interaction }) {
  const { interactions } = useApp();
  const { username, name: author } = useAuthor(interaction.botUserId);
  const name = username === undefined ? texts.apps.app : author;
  const { state, error } = interaction;
  // The announcer of the conversation reads it to screen readers: this line may be out of view.
  if (state !== "failed") {
    return (
      <p className={pendingStyles.failed} data-waiting="true">
        {state === "deferred" ? texts.apps.thinking(name) : texts.apps.waiting(name)}
      </p>
    );
  }
  return (
    <div className={pendingStyles.failed}>
      <span>{error ?? texts.apps.noAnswer(name)}</span>
      <Button
        kind="quiet"
        onClick={({ currentTarget }) => {
          // The button goes away with the failure.
          currentTarget.closest<HTMLElement>("[data-row]")?.focus();
          void interactions.retry(interaction);
        }}
      >
        {texts.common.retry}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          interactions.dismiss(interaction);
          composerElement()?.focus();
        }}
      >
        {texts.apps.dismiss}
      </Button>
    </div>
  );
}
